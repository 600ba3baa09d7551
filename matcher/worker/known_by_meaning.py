"""What is known by meaning of pages that are compared literally: the common source of a hit may be a translation."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from matcher.comparison.relations import relations_in
from matcher.meaning.languages import language_of
from matcher.provenance.page_facts import facts_of_page
from matcher.provenance.third_source import Related
from storage.meaning.shared_by_meaning import shared_by_meaning
from storage.pages import pages

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.comparison.compare_pair import Compared
    from matcher.comparison.store_reader import StoreReader
    from storage.records.pages import PageRecord
    from storage.records.retellings import SharedByMeaning


def known_by_meaning(session: "Session", page_ids: Sequence[int]) -> "Mapping[int, list[SharedByMeaning]]":
    """Return the stored retellings of each page, seen from it."""
    found: defaultdict[int, list[SharedByMeaning]] = defaultdict(list)
    for shared in shared_by_meaning(session, page_ids):
        for page_id in set(page_ids).intersection(shared.page_ids):
            found[page_id].append(shared.from_page(page_id))
    return found


def learn_by_meaning(
    reader: "StoreReader",
    page: "PageRecord",
    body: str,
    found: "Sequence[Compared]",
    known: "Sequence[SharedByMeaning]",
) -> None:
    """Let the relations of what was found literally take the retellings of the page's present text into account."""
    current = [shared for shared in known if shared.text_ids[0] == page.text_id]
    others = pages.pages_by_id(reader.session, {shared.page_ids[1] for shared in current})
    texts = reader.texts(shared.text_ids[1] for shared in current)
    related = []
    for shared in current:
        other, stored = others.get(shared.page_ids[1]), texts.get(shared.text_ids[1])
        if other is not None and stored is not None and other.text_id == stored.id:
            sentences = [stored.body[start:end] for start, end in shared.spans[1]]
            related.append(
                Related(
                    facts=facts_of_page(other, stored.body),
                    spans=shared.spans[0],
                    own_spans=shared.spans[1],
                    page_id=other.id,
                    by_meaning=True,
                    language=language_of(sentences),
                )
            )
    if related:
        own = [body[start:end] for start, end in related[0].spans]
        relations_in(found).learn(related, language=language_of(own))
