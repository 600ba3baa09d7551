"""The result of the benchmark as tables and JSON."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from benchmarks.common.report import RanOn, Report, Table
from benchmarks.discovery.result import Discovered, Stranger

REPOSTS_GOAL: Final = 17 / 19
PLANTED_GOAL: Final = 0.95
MOST_QUERIES: Final = 4
MOST_FETCHES: Final = 8
"""An article and visit, on average."""


def report_of(done: Discovered) -> Report:
    """Prepare a result for output."""
    value = asdict(done) | {"planted": done.planted, "reposts": done.reposts}
    value |= {"misses": [asdict(miss) for miss in done.misses], "averages": _averages(done)}
    header = [RanOn(**done.ran_on).line, f"Seed {done.seed}; {done.copies} copies planted. {_averages_line(done)}"]
    return Report(
        name="discovery",
        title="Discovery",
        header=header,
        tables=[
            *(_found(done), _asked(done), _steps(done), _misses(done)),
            _strangers("Pairs to be read", (one for turn in done.turns for one in turn.strangers)),
            _strangers("Shared passages to be read", (one for turn in done.turns for one in turn.passages)),
        ],
        value=value,
    )


def _averages(done: Discovered) -> dict[str, float]:
    articles = sum(_visits(turn.counts, turn.articles) for turn in done.turns)
    queries, fetches = sum(one.queries for one in done.turns), sum(one.fetches for one in done.turns)
    return {
        "queries_an_article": round(queries / articles, 3) if articles else 0.0,
        "fetches_an_article": round(fetches / articles, 3) if articles else 0.0,
    }


def _visits(counts: object, articles: int) -> int:
    return int(counts.get("visits_done") or articles) if isinstance(counts, dict) else articles


def _averages_line(done: Discovered) -> str:
    found = _averages(done)
    return (
        f"{found['queries_an_article']:.2f} queries and {found['fetches_an_article']:.2f} fetches an article and visit "
        f"(at most {MOST_QUERIES} and {MOST_FETCHES})."
    )


def _found(done: Discovered) -> Table:
    rows = [(name, f"{found} of {planted}", _share(found, planted)) for name, (found, planted) in done.planted.items()]
    found, planted = (sum(one[part] for one in done.planted.values()) for part in (0, 1))
    reposts, known = done.reposts
    cases, strangers = sum(one.case_pairs for one in done.turns), sum(len(one.strangers) for one in done.turns)
    passages, unlisted = sum(one.passage_pairs for one in done.turns), sum(len(one.passages) for one in done.turns)
    forbidden = sum(len(one.forbidden_requests) for one in done.turns)
    rows += [
        (f"all planted copies (goal {PLANTED_GOAL:.2f})", f"{found} of {planted}", _share(found, planted)),
        (f"known reposts (goal {REPOSTS_GOAL:.2f})", f"{reposts} of {known}", _share(reposts, known)),
        ("pairs in open cases that nobody listed (to be read)", f"{strangers} of {cases}", _share(strangers, cases)),
        ("pairs in the list of shared passages, to be read", f"{unlisted} of {passages}", ""),
        ("requests that robots.txt forbids", str(forbidden), ""),
        ("queries without a service, over the budget", f"{done.queries_when_off}, {done.queries_over_budget}", ""),
    ]
    return Table(("copies", "found", "share"), rows, title="Found")


def _asked(done: Discovered) -> Table:
    rows = [
        (one.site, f"{one.articles:,}", f"{one.queries:,}", f"{one.fetches:,}",
         f"{sum(one.found.values())} of {sum(one.planted.values())}",
         f"{len(one.reposts_found)} of {len(one.reposts)}", f"{one.seconds:.0f}")
        for one in done.turns
    ]  # fmt: skip
    return Table(("ours", "articles", "queries", "fetches", "planted", "reposts", "s"), rows, title="Sites in turn")


def _steps(done: Discovered) -> Table:
    counted = Counter((miss.step, miss.what) for miss in done.misses)
    rows = [(step, what, str(count)) for (step, what), count in sorted(counted.items())]
    return Table(("lost at", "copy", "number"), rows, title="Misses by step")


def _misses(done: Discovered) -> Table:
    rows = [(miss.what, miss.step, miss.ours, miss.theirs) for miss in done.misses]
    return Table(("copy", "lost at", "ours", "theirs"), rows, title="Misses")


def _strangers(title: str, pairs: Iterable[Stranger]) -> Table:
    rows = [
        (one.ours, one.theirs, f"{one.titles[0][:30]} | {one.titles[1][:30]}", f"{one.score:.2f}", str(one.longest))
        for one in pairs
    ]
    return Table(("ours", "theirs", "titles", "score", "longest"), rows, title=title)


def _share(found: int, of: int) -> str:
    return f"{found / of:.3f}" if of else ""
