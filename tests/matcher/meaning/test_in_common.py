from math import isclose

from matcher.meaning.in_common import LITTLE, NOT_KNOWN, in_common, terms_in_common
from matcher.meaning.particulars import Contrast
from matcher.meaning.terms.terms import terms_of

CONTRAST = Contrast(30, {"番茄": 30, "椰糠": 1})


def test_what_both_sides_name_counts_by_its_rarity() -> None:
    found = in_common({"番茄", "椰糠", "柯文"}, {"番茄", "椰糠", "珍珠", "羊粪"}, CONTRAST)

    assert isclose(found.rarity, CONTRAST.rarity("椰糠")), "every text has tomatoes"
    assert isclose(found.share, found.rarity / (found.rarity + CONTRAST.rarest + LITTLE)), "of the poorer side"


def test_two_languages_are_compared_by_the_word_list() -> None:
    chinese = ["柯文倩在阳台上种番茄，用椰糠和羊粪配土。", "她每天记账，算出每平方米的收成。"]
    english = [
        "Ke Wenqian grows tomatoes on the balcony, in coconut fibre and sheep manure.",
        "It is the ledger that tells",
    ]
    found = terms_in_common(chinese, english, lambda: Contrast.of_particulars([terms_of("番茄"), terms_of("an apple")]))

    assert found != NOT_KNOWN
    assert found.rarity > 0
    assert 0 < found.share < 1


def test_languages_without_a_word_list_are_neither_alike_nor_different() -> None:
    german = ["Frau Ke zieht auf dem Balkon Tomaten, und sie führt Buch über jede Pflanze."]
    assert terms_in_common(["柯文倩在阳台上种番茄。"], german, lambda: Contrast(0, {})) == NOT_KNOWN
    assert terms_in_common(["柯文倩在阳台上种番茄。"], ["She is on the balcony of the house."], None) == NOT_KNOWN
