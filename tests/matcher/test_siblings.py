"""What stands at the same edge of several pages of one host proves nothing from the second page on, and copies do."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from fingerprint.compute import analyse
from fingerprint.model import UnitCodes
from matcher.boilerplate.edge_repeats import edge_grams, repeated_at_edge
from matcher.comparison.check import check, compared_with
from matcher.explanation.explain import explain
from matcher.worker import backlog as worker
from storage.engine import transaction
from storage.matches import hits as match_hits
from storage.records.matches import HitRecord
from storage.records.pages import NewArticle
from tests.support.factories import an_article, commit, story, text_of
from tests.support.store.store_reads import list_boilerplate

# Nothing in it says that it is a footer: its place shows it.
FOOTER = (
    "窗台上的小本子欢迎留言，我们会在月底挑三封寄回明信片。山脚下的工作室养了两只猫，一只爱睡在键盘上，一只爱看雨。"
    "这里的灯会亮到晚上十一点，最后离开的人记得把门带上。我们把稿费换成了树苗，去年秋天种在了水库南岸，已经发芽。"
    "年末会把全部文字装订成册，印一百本，送给常来的老邻居。冬天煮姜汤，夏天煮绿豆，凡是走进来的人都可以喝上一碗。"
)


def work(engine: Engine) -> list[HitRecord]:
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0
    with transaction(engine) as session:
        return match_hits.list_hits(session)


def framed(number: int, *, chars: int = 700, foot: str = FOOTER) -> str:
    return f"{text_of(number, chars=chars)}\n{foot}"


def on(host: str, number: int, text: str, *, hours: float = 0) -> NewArticle:
    return an_article(f"https://{host}.example/{number}", text, hours=hours)


def pairs(hits: list[HitRecord]) -> set[frozenset[str]]:
    return {frozenset((hit.copy.url, hit.source.url)) for hit in hits}


def test_a_footer_on_one_page_of_each_of_two_hosts_is_still_a_find(engine: Engine) -> None:
    commit(engine, [on("one", 1, framed(1)), on("two", 1, framed(2))])

    assert len(work(engine)) == 1


@pytest.mark.parametrize("foot", [FOOTER, FOOTER[:90], FOOTER + FOOTER[:60:-1]])
def test_a_footer_proves_nothing_from_the_second_page_of_a_host_on(engine: Engine, foot: str) -> None:
    """Four pages of theirs and five of ours with one footer were a case for each pair of them. Too few to learn it."""
    commit(engine, [on("ours", n, framed(n, foot=foot)) for n in range(5)])
    commit(engine, [on("theirs", n, framed(50 + n, foot=foot), hours=5) for n in range(4)])

    assert work(engine) == []
    with transaction(engine) as session:
        assert list_boilerplate(session) == []


def test_a_footer_at_the_top_with_a_date_of_each_page_is_one_too(engine: Engine) -> None:
    def page(number: int) -> str:
        half = len(FOOTER) // 2
        return f"{FOOTER[:half]}2026年{number % 12 + 1}月{number}日{FOOTER[half:]}\n{text_of(number, chars=700)}"

    commit(engine, [on("ours", n, page(n)) for n in range(3)])
    commit(engine, [on("theirs", n, page(10 + n), hours=5) for n in range(2)])

    assert work(engine) == []


@pytest.mark.parametrize("chars", [120, 160, 220])
def test_a_footer_longer_than_the_text_of_its_page_is_told_where_both_hosts_repeat_it(
    engine: Engine, chars: int
) -> None:
    """More than half of a short page is footer: one other page of one host could be a copy of what it says."""
    commit(engine, [on("ours", n, framed(n, chars=chars)) for n in range(2)])
    commit(engine, [on("theirs", n, framed(50 + n, chars=chars), hours=5) for n in range(2)])

    assert work(engine) == []


def test_a_short_story_that_a_copier_prints_twice_is_found_where_its_source_has_it_once(engine: Engine) -> None:
    told = story()[:240]
    commit(engine, [on("ours", 1, told), *(on("ours", n, text_of(30 + n, chars=400)) for n in range(2, 5))])
    commit(engine, [on("theirs", n, f"{text_of(50 + n, chars=150)}\n{told}", hours=5) for n in range(2)])

    assert len(pairs(work(engine))) == 2


NOTE = "编者手记：住在海边的数学教师养过七年蜜蜂，如今给孩子们讲星星、潮水和灯塔的故事，逢周五动笔。"


@pytest.mark.parametrize("number", [9, 13, 16, 24, 29])
def test_a_note_too_short_for_a_key_on_each_page_is_told_by_other_pages_of_the_host(
    engine: Engine, number: int
) -> None:
    """The pair is found by a quotation; the note at its top counts nothing, from whichever side it is asked."""
    quoted = story()[300:430]
    others = [f"{NOTE}\n{text_of(100 * number + n, chars=700)}" for n in range(4)]
    ours = f"{NOTE}\n{text_of(100 * number + 10)}\n{quoted}\n{text_of(100 * number + 11)}"
    theirs = f"{NOTE}\n{text_of(100 * number + 20)}\n{quoted}\n{text_of(100 * number + 21)}"
    commit(engine, [on("ours", n, text) for n, text in enumerate([*others[:2], ours])])
    commit(engine, [on("theirs", n, text, hours=5) for n, text in enumerate([*others[2:], theirs])])

    (hit,) = work(engine)

    counted = [passage for passage in hit.passages if not passage.is_boilerplate]
    assert [(passage.left_end - passage.left_start) // 10 for passage in counted] == [len(quoted) // 10]


def test_a_find_made_before_the_second_page_came_goes_when_it_comes(engine: Engine) -> None:
    commit(engine, [on("ours", 1, framed(1)), on("theirs", 1, framed(2), hours=5)])
    assert len(work(engine)) == 1

    commit(engine, [on("theirs", 2, framed(3), hours=9)])

    assert work(engine) == []
    assert work(engine) == []


@pytest.mark.parametrize("chars", [150, 320, 1_000])
def test_a_story_copied_twice_to_one_host_is_found_on_both_pages(engine: Engine, chars: int) -> None:
    """The page and its print view share their lead at one edge, and all the rest, too."""
    told = story()[:chars]
    commit(engine, [on("source", 1, f"{told}\n{text_of(9)}")])
    commit(engine, [on("copier", 1, f"{told}\n{FOOTER}"), on("copier", 2, f"打印本页\n{told}")])

    assert len(pairs(work(engine))) == 2


def test_an_article_in_two_parts_that_repeat_its_lead_is_found_in_both(engine: Engine) -> None:
    told = story()
    lead, middle = told[:120], len(told) // 2
    commit(engine, [on("source", 1, told)])
    commit(engine, [on("copier", 1, told[:middle], hours=5), on("copier", 2, f"{lead}\n{told[middle:]}", hours=5)])

    assert len(pairs(work(engine))) == 2


def test_a_lead_that_many_hosts_copied_is_found_the_surer_the_more_have_it(engine: Engine) -> None:
    lead = story()[:220]
    commit(engine, [on("source", 1, story())])
    commit(engine, [on(f"copier{n}", 1, f"{lead}\n{text_of(n, chars=700)}", hours=5) for n in range(3)])
    commit(engine, [on(f"copier{n}", 1, f"{story()}\n{text_of(n, chars=100)}", hours=7) for n in range(3, 7)])

    hosts = {side.host for hit in work(engine) for side in (hit.copy, hit.source)}

    assert hosts == {"source.example", *(f"copier{n}.example" for n in range(7))}


def test_a_paragraph_of_ours_at_the_foot_of_their_pages_is_found_though_they_repeat_it(engine: Engine) -> None:
    told = f"{text_of(1, chars=600)}\n{FOOTER}\n{text_of(2, chars=600)}"
    commit(engine, [on("ours", 1, told), *(on("theirs", n, framed(10 + n), hours=5) for n in range(3))])

    assert len(pairs(work(engine))) == 3


def test_a_copy_beside_a_footer_of_few_pages_is_found_by_the_rest_and_provisional(engine: Engine) -> None:
    commit(engine, [on("ours", n, framed(n)) for n in range(2)])
    commit(engine, [on("ours", 9, f"{text_of(9)}\n{story()[300:420]}\n{text_of(10)}\n{FOOTER}")])
    commit(engine, [on("theirs", 1, f"{text_of(11)}\n{story()[300:420]}\n{text_of(12)}\n{FOOTER}", hours=5)])

    (hit,) = work(engine)

    assert hit.evidence.provisional
    assert [passage.is_boilerplate for passage in hit.passages] == [False, True]
    assert hit.longest <= 121


def beside_footers(engine: Engine, ours: str, theirs: str) -> list[HitRecord]:
    """The hits of a page of ours and one of theirs, whose hosts have the footer on two other pages each."""
    commit(engine, [on("ours", n, framed(n)) for n in range(2)])
    commit(engine, [on("theirs", n, framed(50 + n), hours=3) for n in range(2)])
    commit(engine, [on("ours", 9, f"{ours}\n{FOOTER}"), on("theirs", 9, f"{theirs}\n{FOOTER}", hours=5)])
    return work(engine)


@pytest.mark.parametrize("chars", [40, 90, 220])
def test_a_lead_at_the_top_of_two_unrelated_pages_is_found_beside_their_footers(engine: Engine, chars: int) -> None:
    """Leads at the top of both texts counted a third, as mastheads do, though no other page of either host has them."""
    lead = story()[:chars]

    hits = beside_footers(engine, f"{lead}\n{text_of(3, chars=900)}", f"{lead}\n{text_of(4, chars=900)}")

    assert pairs(hits) == {frozenset(("https://ours.example/9", "https://theirs.example/9"))}
    assert [passage.is_boilerplate for passage in hits[0].passages] == [False, True]
    assert hits[0].evidence.provisional


def test_a_sentence_in_the_midst_is_found_beside_the_footers(engine: Engine) -> None:
    told = story()[300:335]

    hits = beside_footers(engine, f"{text_of(3)}{told}{text_of(4)}", f"{text_of(5)}{told}{text_of(6)}")

    assert [passage.is_boilerplate for passage in hits[0].passages] == [False, True]


def test_a_listing_is_found_beside_the_footers(engine: Engine) -> None:
    code = "while (flag) {\n  int count = reader.next(stringBuilder, offset);\n  if (count < 0) { break; }\n}\n"
    code += 'List<Byte> list = new ArrayList<>();\nfor (int i = 0; i < list.size(); i++) { print("%d", list.get(i)); }'

    hits = beside_footers(engine, f"{text_of(3)}\n{code}\n{text_of(4)}", f"{text_of(5)}\n{code}\n{text_of(6)}")

    assert [passage.is_boilerplate for passage in hits[0].passages] == [False, True]


def test_pages_with_a_set_phrase_beside_their_footers_are_left_alone(engine: Engine) -> None:
    said = story()[300:320]

    assert beside_footers(engine, f"{text_of(3)}{said}{text_of(4)}", f"{text_of(5)}{said}{text_of(6)}") == []


def test_a_footer_proves_nothing_on_a_page_of_which_it_is_most(engine: Engine) -> None:
    commit(engine, [on("ours", n, framed(n)) for n in range(2)])
    commit(engine, [on("theirs", n, framed(50 + n), hours=3) for n in range(2)])
    commit(engine, [on("theirs", 9, framed(60, chars=60), hours=5)])

    assert work(engine) == []


def test_why_not_says_that_the_edge_proves_nothing(engine: Engine) -> None:
    commit(engine, [on("ours", n, framed(n)) for n in range(3)])
    commit(engine, [on("theirs", 1, framed(50), hours=5)])
    work(engine)

    with transaction(engine) as session:
        found = explain(session, "https://ours.example/1", "https://theirs.example/1")

    assert not found.is_match
    (step,) = [step for step in found.steps if step.kind == "boilerplate"]
    assert step.figures["at_edges"] is True
    assert "at the same edge" in step.said


def units(text: str) -> UnitCodes:
    return analyse(text).initials.codes


@given(st.integers(0, 60), st.booleans())
def test_a_run_at_the_same_edge_is_told_with_a_title_beyond_it(gap: int, at_top: bool) -> None:
    beyond = [text_of(number, chars=gap) for number in (7, 8)]
    pages = ["\n".join([beyond[n], FOOTER, text_of(n)] if at_top else [text_of(n), FOOTER, beyond[n]]) for n in (0, 1)]

    (run,) = repeated_at_edge(units(pages[0]), units(pages[1]))

    assert abs(len(run) - len(units(FOOTER))) <= 12
    assert len(edge_grams([run], units(pages[1]))) > 0


def test_no_run_is_told_in_the_midst_at_other_edges_or_where_the_rest_is_related() -> None:
    one, other = text_of(1), text_of(2)
    in_midst = units(f"{one}\n{FOOTER}\n{one[::-1]}"), units(f"{other}\n{FOOTER}\n{other[::-1]}")
    at_others = units(f"{FOOTER}\n{one}"), units(f"{other}\n{FOOTER}")
    related = units(f"{one}\n{story()[:200]}\n{FOOTER}"), units(f"{story()[:200]}\n{other}\n{FOOTER}")

    assert repeated_at_edge(*in_midst) == repeated_at_edge(*at_others) == repeated_at_edge(*related) == []


def test_what_is_most_of_a_page_or_longer_than_notices_is_told_by_no_edge() -> None:
    short, long = text_of(1, chars=100), story()[:500]

    assert repeated_at_edge(units(f"{short}\n{FOOTER}"), units(framed(2))) == []
    assert repeated_at_edge(units(f"{text_of(3, chars=900)}{long}"), units(f"{text_of(4, chars=900)}{long}")) == []
    assert repeated_at_edge(units(""), units(FOOTER)) == []


def test_a_run_in_the_midst_of_the_other_text_counts_there() -> None:
    runs = repeated_at_edge(units(framed(1)), units(framed(2)))
    amid = units(f"{text_of(3)}\n{FOOTER}\n{text_of(4)}")

    assert len(edge_grams(runs, units(framed(5)))) > 0
    assert len(edge_grams(runs, amid)) == 0


def test_a_note_above_a_long_footer_is_at_the_edge_of_the_other_text_too() -> None:
    """The footer alone is longer than what may stand between a run and the edge."""
    note, foot = FOOTER[:60], text_of(77, chars=300)
    (run,) = repeated_at_edge(units(framed(1, foot=note + foot)), units(framed(2, foot=note + foot)))
    parts = [run[: len(units(note))], run[len(units(note)) :]]

    assert (
        len(edge_grams(parts, units(f"{text_of(5)}\n{note}\n{foot}"))) == len(edge_grams([run], units(note + foot))) - 7
    )
    assert len(edge_grams(parts[:1], units(f"{text_of(5)}\n{note}\n{text_of(6)}"))) == 0


def test_only_what_the_other_page_shares_is_of_the_run() -> None:
    """A name, a date and what stands beside the run are the page's own."""
    half = len(FOOTER) // 2
    one, other = (
        f"{text_of(n)}\n{FOOTER[:half]}{name}{FOOTER[half:]}" for n, name in ((1, "顾长风"), (2, "沈若兰和林"))
    )

    runs = repeated_at_edge(units(one), units(other))

    assert len(runs) == 2
    assert all(run in units(other).tobytes() and run in units(one).tobytes() for run in runs)


def test_a_note_is_at_the_edge_though_the_other_host_has_a_footer_of_its_own_below_it() -> None:
    note, foot = FOOTER[:60], text_of(77, chars=300)
    other = units(f"{text_of(5)}\n{note}\n{foot}")

    assert len(edge_grams([units(note).tobytes()], other)) == 0
    assert len(edge_grams([units(note).tobytes()], other, [units(foot).tobytes()])) > 0


def test_strangers_have_no_run_in_common() -> None:
    chosen = random.Random(3)  # noqa: S311  # repeatable, nothing secret
    for _ in range(20):
        left, right = (units(text_of(chosen.randrange(10_000), chars=chosen.randint(80, 900))) for _ in range(2))
        assert sum(map(len, repeated_at_edge(left, right))) <= 40


def test_of_copies_too_long_to_be_judged_together_each_is_judged_without_its_footer(engine: Engine) -> None:
    long = text_of(77, chars=130_000)
    for n in range(3):
        copy = on(f"host{n}", 1, f"{long}\n{text_of(50 + n, chars=60)}\n{FOOTER}", hours=n)
        commit(engine, [copy, on(f"host{n}", 2, framed(60 + n), hours=n)])

    with transaction(engine) as session:
        asked = on("asked", 1, f"{long}\n{FOOTER}", hours=9)
        found = check(session, asked, against=compared_with(session)).matches

    assert len(found) == 3
    assert all(one.edges_set_aside and one.judgement.matched_units < len(long) for one in found)
