"""The experimenter's page: all sessions of a hub as they go on, and how far the study has come."""
