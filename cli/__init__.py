"""The subcommands of `curtain`: what click needs, and no more; a command's work is imported when it is called."""
