"""The stored texts that share enough with a query text: retrieval, boilerplate, alignment, judgement."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matcher.boilerplate.learning import boilerplate_grams, runs_around
from matcher.boilerplate.set_aside import SetAside, joined, seeds_met, set_aside_in
from matcher.comparison.candidate_loop import follow, in_order
from matcher.comparison.compare_pair import Compared, PreparedQuery, compare
from matcher.comparison.former_versions import is_outdated
from matcher.comparison.publishers import OtherOwners
from matcher.comparison.query import Query
from matcher.comparison.siblings import Siblings
from matcher.retrieval.candidates import Found, LookUp
from storage.postgres.planner import indexes_forced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matcher.comparison.store_reader import StoreReader
    from storage.records.candidates import BoilerplateRun, KnownRun


@dataclass(frozen=True, slots=True, eq=False)
class StoreSearch:
    """The matches found; with `prepared_query.judged` the trace from which explanations are made."""

    found: list[Compared]
    """Texts that match, in the order of comparison."""
    retrieved: Found
    left_out: frozenset[int]
    """Candidates that were not judged: nothing is known about them."""
    prepared_query: PreparedQuery
    others: OtherOwners
    siblings: Siblings


def search_store(reader: "StoreReader", query: Query, look_up: LookUp) -> StoreSearch:
    """Align the query text with its candidates in the store. `look_up` retrieves them."""
    others = OtherOwners(reader, query.facts, not_owner=query.not_owner)
    with indexes_forced(reader.session, alone=True):
        retrieved = look_up(reader.session, query.text, self_id=query.self_id)
        asked = [*query.text.asked_seeds.hashes.tolist(), *_set_aside_met(reader, query)]
        known = reader.runs(asked, site_ids=query.site_ids)
        runs, verdicts = runs_around(
            reader.session, reader.samples, known, retrieved.frequencies, site_ids=query.site_ids
        )
        if query.keeps_verdicts:
            reader.learn(verdicts)
        candidates = in_order(query, retrieved)
        learned = (run for run in runs if run.proves_nothing and run.set_aside_id is None)
        if any(run.site_id is not None for run in learned):  # the sites of the candidates matter
            others.look_up(candidate.text_id for candidate in candidates)
        grams = boilerplate_grams(runs, others.sites() | set(query.site_ids))
        always, sometimes = _set_aside(query, runs)
        prepared_query = PreparedQuery(
            query.text,
            query.facts,
            joined(grams, (one.grams for one in always)) if always else grams,
            set_aside=sometimes,
        )
        siblings = Siblings(reader, prepared_query, candidates, others, self_id=query.self_id)
        found = follow(reader, prepared_query, candidates, others, siblings)
    for item in query.beside:
        if (compared := compare(prepared_query, item.candidate, item.stored, [item.page])) is not None:
            found.append(compared)
    if others.former:
        found = [item for item in found if not is_outdated(item, found, others.former)]
    left_out = {item.text_id for item in candidates if others.may_publish(item.text_id)} - prepared_query.judged.keys()
    return StoreSearch(found, retrieved, frozenset(left_out), prepared_query, others, siblings)


def _set_aside_met(reader: "StoreReader", query: Query) -> list[int]:
    """Return the seeds of texts that people have set aside that are anywhere in the query text: it may hold too little
    of one to have a seed there itself.
    """
    return seeds_met(query.text.initials.codes, reader.set_aside_seeds())


def _set_aside(
    query: Query, runs: "Sequence[KnownRun | BoilerplateRun]"
) -> tuple[tuple[SetAside, ...], tuple[SetAside, ...]]:
    """Return what the query text holds of texts that people have set aside: what holds in all its comparisons, and what
    holds with the pages of some site or party alone.
    """
    found = set_aside_in(query.text.initials.codes, runs)
    always = {one.set_aside_id for one in found if one.holds_for(query.site_ids, query.facts.owner_key)}
    return (
        tuple(one for one in found if one.set_aside_id in always),
        tuple(one for one in found if one.set_aside_id not in always),
    )
