"""Relations of the query page in view of what was found by meaning: a common source may be in another language."""

from dataclasses import replace
from typing import TYPE_CHECKING

from matcher.meaning.languages import language_of
from matcher.provenance.third_source import Related, RelationFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matcher.comparison.relations import Relations
    from matcher.provenance.page_facts import PageFacts
    from matcher.retellings.retold_match import RetoldMatch
    from storage.records.pages import PageRecord


def with_relations(relations: "Relations", query: "PageFacts", found: "Sequence[RetoldMatch]") -> "list[RetoldMatch]":
    """Return the matches with their relation to the query page. `relations`: of what was found literally, which is then
    judged in view of these matches, too.
    """
    if not found:
        return []
    related = [related_by_meaning(match) for match in found]
    relations.learn(related, language=language_of(_sentences(query.text, related[0].spans)))
    pages = relations.pages() | {page.id: page for match in found for page in match.pages}
    return [
        _with_relation(match, relations.of_related(query, own), pages)
        for match, own in zip(found, related, strict=True)
    ]


def related_by_meaning(match: "RetoldMatch") -> Related:
    own_spans = tuple((one.right_start, one.right_end) for one in match.sentences)
    return Related(
        facts=match.first.right,
        spans=tuple((one.left_start, one.left_end) for one in match.sentences),
        own_spans=own_spans,
        page_id=match.pages[0].id,
        by_meaning=True,
        language=language_of(_sentences(match.stored.body, own_spans)),
    )


def _sentences(text: str, spans: "Sequence[tuple[int, int]]") -> "list[str]":
    return [text[start:end] for start, end in spans]


def _with_relation(match: "RetoldMatch", relation: RelationFound, pages: "Mapping[int, PageRecord]") -> "RetoldMatch":
    third = None if relation.third_page_id is None else pages.get(relation.third_page_id)
    return replace(match, relation=relation.relation, third=third, relation_reasons=relation.reasons)
