"""All sources of a page: numbers stay, shares follow what is left out, and the text is shown whole."""

from dataclasses import replace
from datetime import UTC, datetime

from admin.passages.exclusions import NOTHING_EXCLUDED, Exclusions
from admin.passages.side_by_side import Side, present
from admin.passages.sources import COLOURS, sources_of, tinted
from storage.records.matches import Evidence, HitRecord, HitSide, Passage
from storage.types import Credit, MatchKind

TEXT = "甲" * 40 + "乙" * 30 + "丙" * 30


def _side(page_id: int, share: float) -> HitSide:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return HitSide(
        page_id, f"https://a.example/{page_id}", None, None, "a.example", None, "", at, at, page_id, 100, share
    )


def hit(number: int, *spans: tuple[int, int]) -> HitRecord:
    passages = tuple(Passage(start, end, start, end, 1.0) for start, end in spans)
    share = sum(end - start for start, end in spans) / len(TEXT)
    return HitRecord(
        number, number, _side(1, share), _side(number + 1, share), MatchKind.MOSAIC, 0.9, 40, 0.9, (), Credit.NONE, "",
        passages, Evidence(None, 0, 0, 0, 0), datetime(2026, 3, 1, tzinfo=UTC),
    )  # fmt: skip


HITS = [hit(1, (0, 40)), hit(2, (40, 70)), hit(3, (30, 60))]


def written(side: Side) -> str:
    return "".join(block.text for block in side.blocks)


def test_sources_are_numbered_by_what_they_alone_explain() -> None:
    sources = sources_of(HITS, len(TEXT), NOTHING_EXCLUDED, [])

    assert [(row.number, row.hit.id, row.own_share) for row in sources.rows] == [(1, 1, 0.4), (2, 2, 0.3), (3, 3, 0.0)]
    assert sources.explained == 0.7


def test_a_source_left_out_keeps_its_number_and_gives_its_stretches_to_others() -> None:
    sources = sources_of(HITS, len(TEXT), Exclusions(sources=frozenset({1})), [])

    first, _second, third = sources.rows
    assert (first.number, first.is_left_out, first.own_share, first.share) == (1, True, 0.0, 0.4)
    assert third.own_share == 0.1
    assert sources.explained == 0.4


def test_quotations_left_out_lower_every_share() -> None:
    sources = sources_of(HITS, len(TEXT), Exclusions(quotations=True), [(0, 20), (40, 50)])

    assert [row.share for row in sources.rows] == [0.2, 0.2, 0.2]


def test_the_ninth_source_takes_the_first_colour() -> None:
    hits = [hit(number, (number, number + 10)) for number in range(1, COLOURS + 2)]

    assert [row.colour for row in sources_of(hits, len(TEXT), NOTHING_EXCLUDED, []).rows][-1] == 1


def test_other_sources_are_marked_between_the_passages_and_the_text_stays_whole() -> None:
    sources = sources_of(HITS, len(TEXT), NOTHING_EXCLUDED, [])
    pair = present(TEXT, TEXT, HITS[0].passages)

    side = tinted(pair.copy, sources.rows, but=1)

    assert written(side) == TEXT
    marked = [
        (part.source, part.text, part.is_source_start) for block in side.blocks for part in block.parts if part.source
    ]
    assert marked == [(2, "乙" * 30, True)]
    assert tinted(pair.copy, sources.rows[:1], but=1) is pair.copy


def test_a_stretch_that_begins_inside_a_passage_begins_nowhere_else() -> None:
    rows = sources_of([hit(1, (0, 40)), hit(2, (10, 80))], len(TEXT), NOTHING_EXCLUDED, []).rows
    side = tinted(present(TEXT, TEXT, HITS[0].passages).copy, [replace(row) for row in rows], but=1)

    marked = [part for block in side.blocks for part in block.parts if part.source]
    assert [(part.text, part.is_source_start) for part in marked] == [("乙" * 30 + "丙" * 10, False)]
