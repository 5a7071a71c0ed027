"""The page as a server hands it out: a handful of files, nothing from elsewhere, and the connection behind each open page."""

import html
import re
import string
from collections.abc import Callable, Collection
from pathlib import Path
from urllib.parse import urlsplit

from session.protocol.messages import HubMessage, Sound
from session.study.extras import endpointer
from session.study.screen_words import ENGLISH, Words
from session.study.settings import Profile
from session.study.toml_reader import StudyError
from session.transport.page import ConnectionFactory, HubConnection, PageFile
from session.values.clock import Clock
from session.values.vocabulary import RecordingControl
from subject.browser.gateway import PageConnection
from subject.browser.page_texts import direction

STATIC = Path(__file__).with_name("static")
PAGE = "index.html"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "microphone=(self), camera=(), geolocation=()"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Robots-Tag", "noindex"),
    ("Cache-Control", "no-cache"),
)
_BEFORE_CONNECTED = (
    "program.title", "headline.connecting", "page.no_script", "page.too_old", "page.open_elsewhere", "page.not_admitted",
)  # fmt: skip
_PAGE = re.compile(r"/visit/[0-9A-Za-z-]{1,80}")
_LINK = re.compile(r"/visit/([0-9A-Za-z-]{1,80})/link")
_FILE = re.compile(r"/static/([a-z_]+\.(?:js|css|svg))")


class Pages:
    """Serves one study's page (`session.transport.page.Pages`); `names` are those under which this machine is reached."""

    def __init__(self, profile: Profile, names: Collection[str], words: Words = ENGLISH) -> None:
        check_profile(profile)
        self._words = words
        self._names = frozenset(name.lower() for name in names)

    def file(self, path: str) -> PageFile | None:
        """The file at `path` with its headers; None if there is none."""
        name = PAGE if _PAGE.fullmatch(path) else found[1] if (found := _FILE.fullmatch(path)) else ""
        place = STATIC / name
        if not name or not place.is_file():
            return None
        kind = f"{KINDS[place.suffix]}; charset=utf-8"
        return PageFile((("Content-Type", kind), *HEADERS), _in_words(place, self._words))

    def nowhere(self) -> str:
        """Return the sentence for anyone who asks for something that is not there: an address that was cut off in a message."""
        return self._words["page.not_admitted"]

    def session(self, path: str) -> str | None:
        """The session whose page connects at `path`; None for other paths."""
        return found[1] if (found := _LINK.fullmatch(path)) else None

    def own(self, origin: str, host: str, *, encrypted: bool) -> bool:
        """Return whether `origin` is this server's own page: what the browser asked for, under a name that is ours."""
        named = (urlsplit(f"//{host}").hostname or "").lower()
        return named in self._names and origin.lower() == f"{'https' if encrypted else 'http'}://{host.lower()}"

    def connection(
        self,
        session: str,
        outlet: Callable[[HubMessage | Sound | str], None],
        leave: Callable[[str], None],
        carry: ConnectionFactory,
        clock: Clock,
    ) -> HubConnection:
        """The near end of one page."""
        return PageConnection(session, outlet, leave, carry, clock, self._words)


def _in_words(place: Path, words: Words) -> bytes:
    """A file as it goes out: the page itself with what stands on it before its connection does."""
    if place.name != PAGE:
        return place.read_bytes()
    said = {key.partition(".")[2]: words[key] for key in _BEFORE_CONNECTED}
    filled = {
        name: html.escape(text) for name, text in (said | {"lang": words.language, "dir": direction(words)}).items()
    }
    return string.Template(place.read_text("utf-8")).substitute(filled).encode()


def check_profile(profile: Profile) -> None:
    """Raise StudyError if a page cannot do what the profile asks for."""
    letters = "".join(microphone.letters for microphone in profile.microphones) or "s"
    if letters != "s":
        raise StudyError(
            f"profile {profile.name}: `microphones` names channels {letters!r}, and a page in a browser records one, `s`. "
            "Leave out --browser, or name one microphone"
        )
    if profile.recording is RecordingControl.ENDPOINTED and not endpointer():
        raise StudyError(
            f"profile {profile.name}: an end-pointer ends the utterances, for a page in a browser on this machine, and none is "
            "installed here: `pip install 'curtain-woz[recogniser]'`, or set `recording` to hold, press, operator or typed"
        )
