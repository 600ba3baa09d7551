"""The key that signs evidence: made once, announced in the chain, renewed, lost, and checked without us."""

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from crawler.evidence.keeper import Keeper
from crawler.evidence.key_announcements import KeyReason, key_ring, renew, signing_key
from crawler.evidence.signing_keys import (
    KeyFiles,
    KeyUnusable,
    SigningKey,
    key_id,
    new_key,
    public_pem,
    verify,
)
from storage.engine import transaction
from storage.evidence import chain_store
from tests.support.evidence.evidence import opened_keeper, verified


@pytest.fixture
def keeper(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        yield keeper


def key_of(keeper: Keeper, home: Path) -> SigningKey:
    return signing_key(keeper.engine, KeyFiles(home), keeper.folder)


def reasons(keeper: Keeper) -> list[tuple[str, KeyReason, int | None]]:
    with transaction(keeper.engine) as session:
        ring = key_ring(chain_store.key_entries(session))
    return [(one.id, one.reason, ring.replaced_by.get(one.id)) for one in ring.keys.values()]


def test_a_signature_is_of_one_message_by_one_key() -> None:
    key, another = new_key(), new_key()
    signature = key.sign("证据".encode())

    assert verify(key.public, signature, "证据".encode())
    assert not verify(key.public, signature, b"other")
    assert not verify(another.public, signature, "证据".encode())
    assert not verify(key.public, signature[:-1], "证据".encode())
    assert not verify(b"short", b"", b"")
    assert key.secret_pem.decode().splitlines()[1] not in repr(key)


def test_openssl_checks_a_signature_without_us(tmp_path: Path) -> None:
    key = new_key()
    (tmp_path / "key.pem").write_text(public_pem(key.public))
    (tmp_path / "signed").write_bytes(b'{"a": 1}')
    (tmp_path / "signature").write_bytes(key.sign(b'{"a": 1}'))
    command = "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature"

    assert subprocess.run(command.split(), cwd=tmp_path, check=False, capture_output=True).returncode == 0
    (tmp_path / "signed").write_bytes(b'{"a": 2}')
    assert subprocess.run(command.split(), cwd=tmp_path, check=False, capture_output=True).returncode == 1


def test_a_home_has_one_key_however_many_make_it_at_once(keeper: Keeper, tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as at_once:
        ids = set(at_once.map(lambda _: key_of(keeper, tmp_path).id, range(12)))

    assert len(ids) == 1
    assert reasons(keeper) == [(*ids, KeyReason.FIRST, None)]
    file = KeyFiles(tmp_path).path
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evidence", "evidence-key", "evidence-key.pub"]
    assert verified(keeper.engine, tmp_path)[1] == []


def test_a_renewed_key_is_signed_by_the_one_before_which_stays_known(keeper: Keeper, tmp_path: Path) -> None:
    old = key_of(keeper, tmp_path)
    new = renew(keeper.engine, KeyFiles(tmp_path), keeper.folder)

    assert key_of(keeper, tmp_path).id == new.id != old.id
    assert reasons(keeper) == [(old.id, KeyReason.FIRST, 2), (new.id, KeyReason.RENEWED, None)]
    with transaction(keeper.engine) as session:
        ring = key_ring(chain_store.key_entries(session))
        entry = chain_store.key_entries(session)[1]
    assert {one for one, _ in json.loads(entry.body)["signatures"]} == {old.id, new.id}
    assert ring.problem(3, new.id, new.sign(b"x"), b"x") is None
    assert "was replaced before it, in entry 2" in str(ring.problem(3, old.id, old.sign(b"x"), b"x"))
    assert ring.problem(2, old.id, old.sign(b"x"), b"x") is None
    assert "was not announced" in str(ring.problem(2, new.id, new.sign(b"x"), b"x"))
    assert "does not hold" in str(ring.problem(3, new.id, old.sign(b"x"), b"x"))
    assert verified(keeper.engine, tmp_path)[1] == []


def test_renewals_at_once_make_one_line_of_keys(keeper: Keeper, tmp_path: Path) -> None:
    key_of(keeper, tmp_path)
    with ThreadPoolExecutor(4) as at_once:
        list(at_once.map(lambda _: renew(keeper.engine, KeyFiles(tmp_path), keeper.folder), range(4)))

    found = reasons(keeper)
    assert [(reason, replaced) for _, reason, replaced in found] == [
        (KeyReason.FIRST, 2),
        (KeyReason.RENEWED, 3),
        (KeyReason.RENEWED, 4),
        (KeyReason.RENEWED, 5),
        (KeyReason.RENEWED, None),
    ]
    assert key_of(keeper, tmp_path).id == found[-1][0]
    assert verified(keeper.engine, tmp_path)[1] == []


def test_a_renewal_that_was_interrupted_leaves_the_old_key_or_the_new_one(keeper: Keeper, tmp_path: Path) -> None:
    files = KeyFiles(tmp_path)
    old = key_of(keeper, tmp_path)
    files.make_next()
    assert key_of(keeper, tmp_path).id == old.id

    before = files.path.read_bytes()
    new = renew(keeper.engine, files, keeper.folder)
    files.path.rename(tmp_path / "evidence-key.next")
    files.path.write_bytes(before)

    assert key_of(keeper, tmp_path).id == new.id
    assert len(reasons(keeper)) == 2


def test_a_lost_key_is_followed_by_one_that_says_so(keeper: Keeper, tmp_path: Path) -> None:
    old = key_of(keeper, tmp_path)
    KeyFiles(tmp_path).path.unlink()
    new = key_of(keeper, tmp_path)

    assert reasons(keeper) == [(old.id, KeyReason.FIRST, 2), (new.id, KeyReason.LOST, None)]
    assert verified(keeper.engine, tmp_path)[1] == []


def test_two_homes_on_one_chain_have_a_key_each(keeper: Keeper, tmp_path: Path) -> None:
    ids = [key_of(keeper, tmp_path).id, key_of(keeper, tmp_path / "another").id, key_of(keeper, tmp_path).id]

    assert reasons(keeper) == [(ids[0], KeyReason.FIRST, None), (ids[1], KeyReason.FIRST, None)]
    assert ids[0] == ids[2]


@pytest.mark.parametrize(
    "written", [b"", b"\x00" * 99, b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", b"\xff" * 20_000]
)
def test_a_file_that_is_no_key_is_named_with_the_way_out(keeper: Keeper, tmp_path: Path, written: bytes) -> None:
    (tmp_path / "evidence-key").write_bytes(written)

    with pytest.raises(KeyUnusable, match=r"evidence-key cannot be read .*Restore the file from a copy, or delete it"):
        key_of(keeper, tmp_path)


FORGERIES = {
    "another key": ("key", new_key().public.hex(), "did not sign the announcement"),
    "no key": ("key", "00", "cannot be read"),
    "a replaced key that nobody announced": ("before", new_key().public.hex(), "did not sign the announcement"),
    "no reason": ("reason", "because", "cannot be read"),
    "nothing before": ("before", None, "cannot be read"),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forged_announcement_is_a_problem(keeper: Keeper, tmp_path: Path, case: str) -> None:
    key_of(keeper, tmp_path)
    renew(keeper.engine, KeyFiles(tmp_path), keeper.folder)
    name, value, expected = FORGERIES[case]
    with transaction(keeper.engine) as session:
        said = json.loads(chain_store.key_entries(session)[1].body)
    said["statement"] = json.dumps({**json.loads(said["statement"]), name: value})
    with keeper.engine.begin() as connection:
        connection.execute(text("UPDATE evidence SET body = :body WHERE number = 2"), {"body": json.dumps(said)})

    problems = verified(keeper.engine, tmp_path)[1]

    assert any(problem.startswith("entry 2") and expected in problem for problem in problems), problems


def test_an_id_is_the_hash_of_the_public_bytes() -> None:
    assert key_id(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
