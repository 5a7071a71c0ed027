"""A recogniser by its name, as people give it to a command or write it in `study.toml`.

`pocketsphinx` is on this machine; `replay:FILE` gives what is in a file; an address such as
`http://localhost:8000/v1/audio/transcriptions#MODEL` is a server's.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urldefrag

from operators.recognition.decoding_apart import DecodingApart
from operators.recognition.knowledge import Knowledge, Sources, prepare
from operators.recognition.pocketsphinx_engine import PocketsphinxRecogniser, dictionary
from operators.recognition.recogniser import MissingEngineError, Recogniser
from operators.recognition.recorded_hypotheses import ReplayRecogniser
from operators.recognition.transcription_server import SECONDS, ServerRecogniser, transcription_server

KEY = "CURTAIN_RECOGNISER_KEY"
"""The environment variable with the key of a server, where it wants one."""
NAMES = "`pocketsphinx`, `replay:FILE` or the address of a server that ends in /v1/audio/transcriptions"


def recogniser(
    name: str,
    sources: Callable[[], Sources],
    cache: Path,
    environment: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    warn: Callable[[str], object] = lambda _: None,
    apart: bool = False,
) -> Recogniser:
    """Return the recogniser of this name; `sources` are gathered where it learns from them, `warn` gets what it could not learn.
    `apart` has one that decodes on this machine do so in a process of its own, as something else has to go on here.

    Raises MissingEngineError, whose message says what to do.
    """
    if name == "pocketsphinx":
        known = knowledge(sources, cache)
        for warning in known.warnings:
            warn(warning)
        return DecodingApart(known) if apart else PocketsphinxRecogniser(known)
    kind, _, rest = name.partition(":")
    if kind == "replay" and rest:
        return ReplayRecogniser(Path(rest))
    if kind in ("http", "https"):
        url, model = urldefrag(name)
        server = transcription_server(url, seconds, KEY if KEY in environment else "", environment)
        return ServerRecogniser(server, model)
    raise MissingEngineError(f"there is no recogniser {name!r}: name {NAMES}")


def knowledge(sources: Callable[[], Sources], cache: Path) -> Knowledge:
    """Return the vocabulary for pocketsphinx; the dictionary, which is most often missing, is looked up first."""
    path = dictionary()
    return prepare(sources(), path, cache)
