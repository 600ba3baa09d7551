"""Rules for passwords, and their hashes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.auth.passwords import (
    NOBODYS_HASH,
    PasswordRefused,
    Refused,
    hash_password,
    is_outdated,
    made_password,
    refusal,
    verify,
)
from tests.support.desk_client import PASSWORD


def test_a_password_is_verified_against_its_own_hash_only() -> None:
    hashed = hash_password(PASSWORD)

    assert hashed.startswith("$argon2id$")
    assert hashed != hash_password(PASSWORD), "each hash has a salt of its own"
    assert verify(hashed, PASSWORD)
    assert not verify(hashed, PASSWORD + " ")


@pytest.mark.parametrize("password_hash", ["", "x", "$argon2id$v=19$m=65536,t=3,p=4$", "plain text", "密码"])
def test_a_hash_that_is_none_verifies_nothing(password_hash: str) -> None:
    assert not verify(password_hash, PASSWORD)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        *(("", Refused.TOO_SHORT), ("1234567", Refused.TOO_SHORT), ("密码密码密码密码密", Refused.TOO_SHORT)),
        ("x" * 1_025, Refused.TOO_LONG),
        *(
            ("Xiao Zhang", Refused.IS_NAME),
            ("xiao zhang2026!", Refused.IS_NAME),
            ("xiao zhangXIAO ZHANG", Refused.IS_NAME),
        ),
        *(("1234567890", Refused.COMMON), ("0987654321", Refused.COMMON), ("abcdefghijkl", Refused.COMMON)),
        *(("Password123", Refused.COMMON), ("woaini1314520", Refused.COMMON), ("1212121212121", Refused.COMMON)),
        *(
            ("一丁七万丈三上下不与", None),
            (PASSWORD, None),
            ("xiao zhang rides a bridge", None),
            (" 密码 里 有 空格 也 行 ", None),
        ),
    ],
)
def test_what_anybody_would_try_first_is_refused(password: str, why: Refused | None) -> None:
    assert refusal(password, name="Xiao Zhang") is why


def test_a_refused_password_says_the_rule_and_the_way_out() -> None:
    with pytest.raises(PasswordRefused, match="use at least 10 characters, ideally a few words") as refused:
        hash_password("short")

    assert refused.value.why is Refused.TOO_SHORT


def test_a_password_made_here_is_always_taken() -> None:
    made = {made_password() for _ in range(200)}

    assert len(made) == 200
    assert {refusal(password, name="made") for password in made} == {None}


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_text_gets_an_answer(password: str, name: str) -> None:
    assert refusal(password, name=name) in {None, *Refused}


def test_half_a_character_is_no_password() -> None:
    assert not verify(hash_password(PASSWORD), "\ud800" * 10)


def test_the_hash_of_nobody_costs_what_others_cost_and_fits_nothing() -> None:
    assert not is_outdated(NOBODYS_HASH)
    assert not verify(NOBODYS_HASH, "")
    assert is_outdated(
        "$argon2id$v=19$m=1024,t=1,p=1$9AdpcXpLfMYPDJTLmKlchw$icfcF2ptGI5ZHssni/TwOr+ZhMCeGo1bnw8hotA1E3M"
    )
