"""Folder in which a subject's desk keeps what the hub has not confirmed: in the user's data folder, one place per session."""

from pathlib import Path

from platformdirs import user_data_path

from session.values.names import check_id


def spool_folder(session: str) -> Path:
    """The folder of one session's spool, made when there is none; raises OSError when it cannot be."""
    folder = user_data_path("curtain", appauthor=False) / "spool" / check_id(session)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
