import pytest

from matcher.meaning.terms.terms import is_term, shown_terms, terms_of

CHINESE = "柯文倩在北京修改了内核的调度器，她的同事李明负责测试。"
ENGLISH = "In Beijing, Ke Wenqian changed the scheduler of the kernel; Li Ming, her colleague, tested it."


def test_a_term_and_a_name_have_the_same_key_in_both_languages() -> None:
    both = terms_of(CHINESE) & terms_of(ENGLISH)

    assert all(map(is_term, both))
    assert shown_terms(both, ENGLISH, CHINESE)[:2] == ("Beijing = 北京", "scheduler = 调度")
    assert {"Ke Wenqian = 柯文倩", "kernel = 内核", "Li Ming = 李明"} <= set(shown_terms(both, ENGLISH, CHINESE))


def test_traditional_characters_and_the_family_name_last_are_the_same() -> None:
    assert {"=kewenqian"} <= terms_of("柯文倩") & terms_of("Then Wenqian Ke spoke.")
    assert terms_of("內核的調度器") == terms_of("内核的调度器")


def test_a_word_that_only_reads_like_a_name_is_none() -> None:
    assert not terms_of("Change the liming agent") & terms_of("李明，常格")


def test_what_is_not_in_both_sentences_is_not_shown() -> None:
    assert shown_terms(["~kernel", "~tomato"], "内核", "the kernel") == ("内核 = kernel",)
    assert shown_terms([], CHINESE, ENGLISH) == ()


@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800\udfff", "汉" * 100_000, "李" * 20_000, "Aa Bb " * 50_000, "\u202eשלום"]
)
def test_any_text_has_terms_or_none(text: str) -> None:
    assert all(map(is_term, terms_of(text)))
