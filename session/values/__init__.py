"""Small values that everything else is made of: clocks, names, answers, vocabulary."""
