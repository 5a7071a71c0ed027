"""The rules of `curtain verify` about logs, a part of the catalogue."""

from corpus.verify.rules.findings import Rule, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

LOGS = (
    Rule("log.form", _E, "A .log keeps its format.", "correct it by docs/reference/formats/log.md"),
    Rule("log.identity", _E, "Header and file name give the same speaker and scenario.", "find out whose log it is"),
    Rule("log.mode", _E, "Mode names who operated each stage by the records, and nobody else.", "export it again"),
    Rule("log.deception", _E, "Deception tells of people who acted as machines, and of no others.", "export it again"),
    Rule("log.deception-unshown", _W, "Records show a deception that no profile plans.", "look: practice has no log"),
    Rule("log.numbering", _E, "Utterances are numbered from 01 without a gap, in order.", "restore what is missing"),
    Rule("log.take", _E, "A take stands in one block of one log.", "remove the copy"),
    Rule(
        "log.edges",
        _E,
        "A scenario starts once and ends at most once, and starts before it ends; what is said in it lies between.",
        "export it again",
    ),
    Rule("log.unfinished", _W, "A scenario has ended.", "nothing to do if it was broken off"),
    Rule("log.input", _E, "An utterance was recorded or typed.", "export it again"),
    Rule(
        "log.order",
        _E,
        "The stamps of a turn do not run backwards, nor do the turns.",
        "check the clocks; export it again",
    ),
    Rule(
        "log.duration",
        _W,
        "A recording has as many samples as fit between its stamps.",
        "listen whether it is too fast or too slow",
    ),
    Rule("log.placed", _W, "Every stamp's uncertainty is known.", "check that the desks' clocks were compared"),
    Rule(
        "log.echo", _E, "With echo before the query, the subject saw the transcription before it.", "check the session"
    ),
    Rule(
        "log.hidden",
        _E,
        "What happens behind the curtain is marked hidden, and nothing that the subject did or saw.",
        "export it again",
    ),
    Rule("log.role", _E, "Everything was done by the hub or by somebody at a desk.", "export it again"),
    Rule("log.end-to-end", _E, "With [End_to_end:], every answer says when it was found.", "export it again"),
    Rule(
        "log.database-version",
        _E,
        "Every answer names the version of the database, that of its query.",
        "say which it was",
    ),
    Rule("log.attempt", _E, "What came of a query refers to a sentence that was sent, once.", "export it again"),
    Rule(
        "log.reply",
        _E,
        "What was shown is a reply that was returned, and replies have names of their own.",
        "export it again",
    ),
    Rule("log.rows", _E, "A table has as many rows as were counted.", "export it again"),
    Rule("log.unanswered", _W, "Every utterance has a reply.", "nothing to do if the scenario ended there"),
    Rule("log.sealed", _E, "What the hub confirmed is what the desk sealed.", "compare the recordings with the log"),
    Rule("log.unconfirmed", _W, "Every recording was confirmed.", "check the recording"),
    Rule("log.trouble", _W, "No recording had trouble.", "listen to it at the place named"),
    Rule("log.redacted", _N, "Nothing was erased.", "nothing to do: a speaker withdrew"),
    Rule(
        "log.session",
        _E,
        "A log's session stands in the manifest, with the same speaker, site and marks.",
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
        "Nobody is recorded who has not agreed to it before.",
        "do not hand it over; find the consent",
    ),
    Rule(
        "log.protocol",
        _E,
        "A log's protocol lies in doc/protocol, and the header says of procedure, surroundings and scenario what it says.",
        "restore it; export it again",
    ),
    Rule("log.protocol-absent", _N, "Initial data come with their protocols.", "have the site send them"),
)
