"""Metadata of a corpus, as its study states them once: what it is called, who made it, under which licence it may be used.

They say nothing of a session and enter none: an export takes those that the study states now (`corpus.description`).
"""

import datetime
import re

from session.study.settings import Setting
from session.study.toml_reader import nearest

LICENCES = (
    "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0", "CC-BY-3.0",
    "CC-BY-SA-3.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0",
    "C-UDA-1.0", "OGL-UK-3.0", "etalab-2.0", "DL-DE-BY-2.0", "DL-DE-ZERO-2.0", "MIT", "Apache-2.0", "BSD-3-Clause",
)  # fmt: skip
"""SPDX's identifiers of licences under which data are given away; any other licence is a `LicenseRef-…` (SPDX 2.3, annex D)."""
_OWN_LICENCE = re.compile("LicenseRef-[A-Za-z0-9.-]+")
_LANGUAGE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_ORCID = re.compile("([0-9]{4}-){3}[0-9]{3}[0-9X]")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://\S+")
REQUIRED = ("title", "description", "creators", "licence", "contact")
ADVISED = ("keywords", "funding", "ethics", "citation")


class Creator(Setting, frozen=True):
    """One who made the corpus: `name` as `Family, Given` or that of an institution, an `orcid`, an `affiliation`."""

    name: str
    orcid: str = ""
    affiliation: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("`name` of a creator is empty; write it as `Family, Given`")
        if self.orcid and not is_orcid(self.orcid):
            raise ValueError(
                f"`orcid` {self.orcid!r} is none: 16 digits in groups of four, the last of them a check digit"
            )

    @property
    def parts(self) -> tuple[str, str]:
        """Family and given name; an institution has no given one."""
        family, _, given = self.name.partition(",")
        return family.strip(), given.strip()


class Metadata(Setting, frozen=True):
    """`[metadata]` of `study.toml`. `licence` is SPDX's identifier, `language` a tag of BCP 47 (empty: that of the screens),
    `contact` an address of mail or a page, `published` a date (empty: that of the last session)."""

    title: str = ""
    description: str = ""
    creators: tuple[Creator, ...] = ()
    licence: str = ""
    language: str = ""
    contact: str = ""
    funding: str = ""
    ethics: str = ""
    citation: str = ""
    keywords: tuple[str, ...] = ()
    publisher: str = ""
    doi: str = ""
    published: str = ""

    def __post_init__(self) -> None:
        if self.licence and self.licence not in LICENCES and not _OWN_LICENCE.fullmatch(self.licence):
            remedy = f"{nearest(self.licence, LICENCES)}, or LicenseRef-NAME for terms of your own"
            raise ValueError(
                f"`licence` {self.licence!r} is not an SPDX identifier of data that is known here; {remedy}"
            )
        if self.language and not _LANGUAGE.fullmatch(self.language):
            raise ValueError(f"`language` {self.language!r} is not a tag of BCP 47 such as en, en-US or sw")
        if self.contact and not _ADDRESS.fullmatch(self.contact):
            raise ValueError(f"`contact` {self.contact!r} is neither an address of mail nor https://…")
        if self.doi and not _DOI.fullmatch(self.doi):
            raise ValueError(f"`doi` {self.doi!r} is none; it begins with 10. and has no https:// before it")
        if self.published and not _is_date(self.published):
            raise ValueError(f"`published` {self.published!r} is not a date such as 2026-11-23")

    @property
    def lacking(self) -> tuple[str, ...]:
        """The keys that a release requires and that are empty."""
        return tuple(key for key in REQUIRED if not getattr(self, key))

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The keys that anyone who wants to use the corpus will ask for and that are empty."""
        return tuple(key for key in ADVISED if not getattr(self, key))


def is_orcid(text: str) -> bool:
    """Return whether a text is an ORCID with the right check digit (ISO 7064, MOD 11-2).

    >>> is_orcid("0000-0002-1825-0097"), is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    if not _ORCID.fullmatch(text):
        return False
    total = 0
    for digit in text[:-1].replace("-", ""):
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == text[-1]


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
