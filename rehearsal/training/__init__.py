"""Training of wizards: drills at the real console against a scripted or recorded subject."""
