"""Keys: their names, their order, the footer and the help that show them, and the screen that none of them leaves."""
