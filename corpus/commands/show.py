"""`curtain show`: logs as dialogues, for whoever wants to read one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.report.log_transcript import lines


def show_command(logs: Sequence[str], seen_only: bool, out: TextIO, err: TextIO) -> int:
    """Write each log to `out` as a dialogue; 2 when one cannot be read, the others are shown."""
    status = 0
    for number, name in enumerate(logs):
        try:
            log = file.parse(Path(name).read_bytes(), name)
            text = "\n".join(lines(log, seen_only=seen_only))
        except (FormatFault, ValueError) as error:
            err.write(f"{error}\n")
            status = 2
            continue
        except OSError as error:
            err.write(f"{name}: it cannot be read: {error.strerror}; name the .log of a subject-scenario\n")
            status = 2
            continue
        out.write(("\n\n" if number else "") + text + "\n")
    return status
