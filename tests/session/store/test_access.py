"""A session's tokens are its own: drawn when it is opened, worth nothing elsewhere, and taken back when they are renewed."""

import shutil
from pathlib import Path

import pytest

from session.hub.access_tokens import Tokens
from session.store.access import TokenIssuer
from session.store.event_store import Store
from session.values.vocabulary import Role
from tests import ROOT
from tests.session.examples import entries, opening
from tests.session.stores import NAME

OTHER = "bbn-20261121-2"
SECRETS = {role: f"{role.value} {'s' * 20}" for role in Role}


def opened(store: Store, *names: str) -> TokenIssuer:
    for name in names:
        store.open_session(lambda _, name=name: (name, entries(opening())[0]))  # type: ignore[misc]
    return TokenIssuer(store)


def test_tokens_follow_from_nothing_and_open_one_session_in_one_role(store: Store) -> None:
    access = opened(store, NAME, OTHER)
    here, there = access.tokens(NAME), access.tokens(OTHER)
    assert set(here) == set(Role)
    assert len({*here.values(), *there.values()}) == 2 * len(Role)
    tokens = Tokens(SECRETS, access)
    for role, token in here.items():
        assert (tokens.role(token, NAME), tokens.role(token, OTHER), tokens.of(role, NAME)) == (role, None, token)
        assert tokens.role(Tokens(SECRETS).of(role, NAME), NAME) is None, "who knows the roles' secrets gets in nowhere"


def test_a_renewed_token_is_the_only_one_and_hubs_hear_of_it(store: Store) -> None:
    access = opened(store, NAME, OTHER)
    before = access.tokens(NAME)
    assert access.renewed(0) == (0, [])
    made = access.renew(NAME, [Role.SUBJECT])
    after = access.tokens(NAME)
    assert after == before | made
    assert after[Role.SUBJECT] != before[Role.SUBJECT]
    assert Tokens(SECRETS, access).role(before[Role.SUBJECT], NAME) is None
    assert access.renewed(0) == (1, [(NAME, "subject")])
    access.renew(OTHER, [Role.WIZARD])
    assert access.renewed(1) == (2, [(OTHER, "wizard")])
    with pytest.raises(KeyError):
        access.renew("bbn-20261121-9", [Role.SUBJECT])


def test_sessions_of_an_earlier_release_go_on_with_their_tokens_until_one_is_renewed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "golden" / "session" / "store-1.sqlite", tmp_path / "old.sqlite")
    store = Store(f"sqlite:///{tmp_path}/old.sqlite")
    access = TokenIssuer(store)
    tokens = Tokens(SECRETS, access)
    old = tokens.of(Role.SUBJECT, NAME)
    assert (tokens.role(old, NAME), tokens.role(old, OTHER), access.renewed(0)) == (Role.SUBJECT, None, (0, []))
    access.renew(NAME, [Role.WIZARD])
    assert (tokens.role(old, NAME), set(access.tokens(NAME))) == (None, set(Role)), (
        "an old one is not left beside new ones"
    )
    store.close()


def test_the_consoles_token_is_the_experimenters_in_every_session(store: Store) -> None:
    tokens = Tokens(SECRETS, opened(store, NAME, OTHER))
    assert [tokens.role(tokens.console, name) for name in (NAME, OTHER)] == [Role.EXPERIMENTER] * 2
    assert "*" in repr(tokens)
    assert tokens.console not in repr(tokens)
