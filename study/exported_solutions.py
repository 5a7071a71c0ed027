"""Verdicts on the declared solutions of an exported corpus, from the scenarios in its protocols and the domain's database."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

import scenarios
from corpus.dataset.reader import Corpus, SubjectScenario
from corpus.formats.log import log_schema
from corpus.formats.log.queries import outcome_of
from corpus.io.staging import Refused
from corpus.packages.datasheet import protocols_of
from domain.code_labels import Decoding
from domain.database.solution_set import solution_query
from domain.sandbox.sandbox import Sandbox
from session.study.settings import Protocol
from session.values.answers import QueryFailure, Table
from session.values.vocabulary import Outcome
from study.rightness import Rightness, judge

VersionFinder = Callable[[str, str], Path]
"""The SQLite file of a domain, by its name and the version that the sessions had; raises `Refused`."""


def verdicts_of(corpus: Corpus, database: VersionFinder) -> Mapping[str, str]:
    """Return the verdict on each subject-scenario that has a solution set, by the name of its log; those whose database is not
    here, or of another version, are left out. Raises `FormatFault`."""
    return dict(_Judge(corpus, database).found())


class _Judge:
    """One corpus; every database is opened once, every solution set asked for once."""

    def __init__(self, corpus: Corpus, database: VersionFinder) -> None:
        self._corpus, self._database = corpus, database
        self._protocols = {protocol.sha256: protocol for protocol in protocols_of(corpus)}
        self._sets: dict[tuple[str, str], Table | None] = {}
        self._decodings: dict[str, Decoding] = {}

    def found(self) -> list[tuple[str, str]]:
        """Return the verdicts."""
        judged = ((str(scenario.stem), self._verdict(scenario)) for scenario in self._corpus.scenarios())
        return [(stem, verdict.value) for stem, verdict in judged if verdict is not Rightness.UNJUDGED]

    def _verdict(self, scenario: SubjectScenario) -> Rightness:
        log = scenario.log
        protocol = self._protocols.get(log.get("Protocol"))
        if protocol is None or all(name != log_schema.END_TO_END for name, _ in log.header):
            return Rightness.UNJUDGED
        declared = [record.get("Solution") for record in log.records("Solution_declared")]
        if not declared or outcome_of(log) != Outcome.DECLARED:
            return Rightness.NONE
        bindings = dict(value.partition("=")[::2] for name, value in log.header if name == "Binding")
        return judge(declared[-1], self._rows(protocol, log.get("Scenario"), bindings))

    def _rows(self, protocol: Protocol, name: str, bindings: Mapping[str, str]) -> Table | None:
        scenario = protocol.scenarios.get(name)
        if scenario is None or scenario.solution is None:
            return None
        with suppress(ValueError):
            query = solution_query(scenario, bindings)
            key = protocol.database_version, query
            if key not in self._sets:
                self._sets[key] = self._asked(protocol, query)
            return self._sets[key]
        return None

    def _decoding(self, domain: str) -> Decoding:
        """Words for the codes of a domain that ships; another's are in no corpus."""
        if domain not in self._decodings:
            self._decodings[domain] = Decoding.if_any(Path(scenarios.__file__).parent / Path(domain).name)
        return self._decodings[domain]

    def _asked(self, protocol: Protocol, query: str) -> Table | None:
        with suppress(Refused, QueryFailure):
            file = self._database(protocol.domain, protocol.database_version)
            with closing(Sandbox(f"sqlite:///{file}")) as sandbox:
                return self._decoding(protocol.domain).worded(sandbox.run(query), sandbox.run)
        return None
