"""The rules of `curtain verify` about logs, a part of the catalogue."""

from corpus.verify.rules.findings import Rule, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

LOGS = (
    Rule("log.form", _E, "A .log is in its format.", "correct it by docs/reference/formats/log.md"),
    Rule("log.identity", _E, "Header and file name give the same speaker and scenario.", "find out whose log it is"),
    Rule("log.mode", _E, "Mode names the operators of each stage in the records, and no others.", "export it again"),
    Rule("log.deception", _E, "Deception is yes exactly if people acted as machines.", "export it again"),
    Rule(
        "log.deception-unshown",
        _W,
        "Records show a deception that no profile plans.",
        "check the session: practice has no log",
    ),
    Rule("log.numbering", _E, "Utterances are numbered from 01 without a gap, in order.", "restore what is missing"),
    Rule("log.take", _E, "A take is in one block of one log.", "remove the copy"),
    Rule(
        "log.edges",
        _E,
        "A scenario starts once and ends at most once, later; its utterances are in between.",
        "export it again",
    ),
    Rule("log.unfinished", _W, "A scenario has ended.", "nothing to do if it was broken off"),
    Rule("log.input", _E, "An utterance was recorded or typed.", "export it again"),
    Rule(
        "log.order",
        _E,
        "The stamps of a turn, and the turns, are in order of time.",
        "check the clocks; export it again",
    ),
    Rule(
        "log.duration",
        _W,
        "A recording's number of samples fits its stamps.",
        "listen whether it is too fast or too slow",
    ),
    Rule("log.placed", _W, "Every stamp's uncertainty is known.", "check that the desks' clocks were compared"),
    Rule("log.echo", _E, "With echo before the query, the subject saw the transcription first.", "check the session"),
    Rule(
        "log.hidden",
        _E,
        "Events behind the curtain are marked hidden; those that the subject did or saw are not.",
        "export it again",
    ),
    Rule("log.role", _E, "Every record was made by the hub or by a desk's role.", "export it again"),
    Rule(
        "log.end-to-end", _E, "With [End_to_end:], every answer has the time at which it was found.", "export it again"
    ),
    Rule(
        "log.database-version",
        _E,
        "Every answer names its query's version of the database.",
        "add the version",
    ),
    Rule(
        "log.attempt",
        _E,
        "A query's result belongs to a sentence that was sent, and each sentence has one.",
        "export it again",
    ),
    Rule(
        "log.reply",
        _E,
        "Every reply that was shown was returned, and every reply has its own name.",
        "export it again",
    ),
    Rule("log.rows", _E, "A table has as many rows as its count says.", "export it again"),
    Rule("log.unanswered", _W, "Every utterance has a reply.", "nothing to do if the scenario ended there"),
    Rule("log.sealed", _E, "The hub confirmed what the desk sealed.", "compare the recordings with the log"),
    Rule("log.unconfirmed", _W, "Every recording was confirmed.", "check the recording"),
    Rule("log.trouble", _W, "No recording had trouble.", "listen to it at the place named"),
    Rule("log.redacted", _N, "Nothing was erased.", "nothing to do: a speaker withdrew"),
    Rule(
        "log.session",
        _E,
        "The manifest has a log's session, with the same speaker, site and marks.",
        "export it again",
    ),
    Rule(
        "log.session-name",
        _E,
        "A session's name gives its site and, within a day, the date of its stamps.",
        "find out whose log it is",
    ),
    Rule(
        "log.sequence",
        _W,
        "A speaker's subject-scenarios follow one another in time, in the order of their numbers.",
        "check the clocks of the visits",
    ),
    Rule(
        "log.consent",
        _E,
        "Every speaker consented before being recorded.",
        "do not hand it over; find the consent",
    ),
    Rule(
        "log.protocol",
        _E,
        "A log's protocol is in doc/protocol, and agrees with the header about procedure, surroundings and scenario.",
        "restore it; export it again",
    ),
    Rule("log.protocol-absent", _N, "Initial data come with their protocols.", "have the site send them"),
)
