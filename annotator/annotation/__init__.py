"""The annotation desk without a screen: classes, readings, references, second persons, rulings."""
