"""Listings as a whole are code: names and messages in them, settings without signs; and prose beside them is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from fingerprint.model import Initials
from matcher.discounts.source_code import code_units
from matcher.judgement.judge import judge
from tests.support.factories import text_of

LISTING = """\
protected Parcel openParcel(String parcelName, ParcelDefinition parcelDefinition, Object[] arguments) {
if (logger.isTraceEnabled()) {
logger.trace("Opening parcel '" + parcelName + "'");
}
Parcel openedParcel = parcelFactory.obtainParcel(parcelName);
try {
fillParcel(openedParcel, parcelDefinition);
closeParcel(parcelName, openedParcel, parcelDefinition);
} catch (Throwable failure) {
throw new ParcelCreationException(parcelDefinition.getDescription(), parcelName,
"Filling of the parcel failed before it was closed", failure);
}
return openedParcel;
}
"""
SETTINGS = """\
services:
  database:
    image: postgres
    restart: always
    environment:
      USER: admin
      NAME: orders
  web:
    command: gunicorn
    depends_on:
      - database
"""


def units(text: str) -> Initials:
    return analyse(text).initials


def test_names_and_messages_between_signs_are_part_of_the_listing() -> None:
    assert code_units(units(LISTING)).mean() > 0.95


@pytest.mark.parametrize("text", [SETTINGS, "Host: example.org\nAccept: text/html\nServer: nginx\nVary: Accept\n"])
def test_lines_of_settings_are_code(text: str) -> None:
    assert code_units(units(text)).all()


@pytest.mark.parametrize(
    "text",
    [
        "Anna: It rained.\nBert: Did it?\nAnna: For days.\nBert: I was away then.\n",
        "来源：本刊\n作者：某人\n时间：昨天\n编辑：另一人\n",
        "Monday: rain\nTuesday: sun\nThe river rose, and nobody in the town slept that night.\n",
        "one\ntwo\nthree\nfour\nfive\n",
    ],
)
def test_speech_fields_and_lists_of_words_are_no_code(text: str) -> None:
    assert not code_units(units(text)).any()


def test_chinese_between_two_listings_is_no_code() -> None:
    said = "船夫把缆绳又系紧了一圈，河水漫过旧码头的石阶，谁也没有说话，只听见远处有人在敲门，一直敲到天亮。" * 2
    text = units(f"{LISTING}{said}\n{LISTING}")
    found = code_units(text)
    places = text.canonical.starts.take(text.chars_from)
    start = len(LISTING) + 60

    assert not found[(places > start) & (places < len(LISTING) + len(said) - 60)].any()


def test_two_articles_that_quote_the_same_listing_are_no_match_and_a_copied_one_is() -> None:
    ours, theirs = (
        f"{text_of(number, chars=4_000)}\n{LISTING}\n{text_of(number + 10, chars=4_000)}" for number in (1, 2)
    )
    excerpt = f"{text_of(3, chars=4_000)}\n{ours[3_700:4_000]}\n{LISTING}\n{ours[-3_900:-3_700]}"
    nothing = np.zeros(0, dtype=np.uint64)

    for left, right in ((ours, theirs), (theirs, ours)):
        assert not judge(units(left), units(right), boilerplate=nothing).is_match
    assert judge(units(excerpt), units(ours), boilerplate=nothing).is_match


@given(st.text(st.sampled_from("aZ:- .\n中{"), max_size=300))
def test_any_text_has_a_mark_for_each_unit(text: str) -> None:
    found = units(text)

    assert len(code_units(found)) == len(found)


@pytest.mark.parametrize("hostile", ["a:\n" * 100_000, "- " * 200_000, "a" * 500_000, ":\n" * 100_000, "{中" * 100_000])
def test_hostile_texts_are_marked(hostile: str) -> None:
    found = units(hostile)

    assert len(code_units(found)) == len(found)
