"""Running a study, not only a session: its design, people, freeze, training and backup, over what the sessions left behind."""
