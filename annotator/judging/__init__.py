"""The judging desk without a screen: whole dialogues, judged turn by turn by raters who are blind to each other."""
