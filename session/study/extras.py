"""Extras that a profile needs beyond the plain installation: said when a study is loaded, before a subject sits there.

Only looked for, never imported: the subject's desk, on its own machine, is the one that needs it.
"""

from importlib.util import find_spec

from session.study.settings import Profile
from session.values.vocabulary import RecordingControl

ENDPOINTERS = {"silero": ("silero_vad", "onnxruntime"), "pocketsphinx": ("pocketsphinx",)}
"""The packages that each end-pointer needs, the preferred one first."""

INSTALL_ENDPOINTER = "`pip install 'curtain-woz[recogniser]'` on the subject's machine"


def endpointer() -> str:
    """The end-pointer that can be used on this machine; empty when there is none."""
    return next((name for name, packages in ENDPOINTERS.items() if all(map(find_spec, packages))), "")


def missing(profile: Profile) -> str:
    """Return what this machine lacks as a subject's desk of `profile`, with the remedy; empty when nothing."""
    if profile.recording is not RecordingControl.ENDPOINTED or endpointer():
        return ""
    return (
        f"profile {profile.name} lets an end-pointer end the utterances, and none is installed here: "
        f'{INSTALL_ENDPOINTER}, or `recording = "press"` in the profile'
    )
