"""TalkBank's CHAT: the files, and how a subject-scenario is written in them."""
