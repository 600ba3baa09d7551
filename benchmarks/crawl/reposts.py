"""Compares the hits between crawled sites with the known reposts."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from storage.engine import transaction
from storage.matches import hits as match_hits
from storage.records.matches import HitFilter, HitRecord

if TYPE_CHECKING:
    from sqlalchemy import Engine

Pair = frozenset[Path | None]

MOST_HITS: Final = 100_000
SHOWN: Final = 40


def repost_lines(engine: "Engine", data: Path, files: Mapping[str, Path], *, listed_in: Path | None) -> Iterator[str]:
    """The figures as lines. `files`: the file of each stored address. `listed_in` gets every hit, with the
    passages of both pages, to be read by a person.
    """
    with transaction(engine) as session:
        hits = match_hits.list_hits(session, HitFilter(), limit=MOST_HITS)
    known = _known(data)
    found = {_pair(hit, files) for hit in hits}
    stored = set(files.values())
    here = {pair: row for pair, row in known.items() if pair <= stored}
    yield f"{len(hits)} hits between sites; of {len(known)} known reposts both pages are stored of {len(here)}:"
    for kind, count in Counter(row["label"] for row in here.values()).items():
        right = sum(row["label"] == kind and pair in found for pair, row in here.items())
        yield f"  {kind}: {right} of {count}"
    yield from (
        f"  not found: {' | '.join(row[side] for side in 'ab')}" for pair, row in here.items() if pair not in found
    )
    for hit in hits[:SHOWN]:
        mark = "known" if _pair(hit, files) in known else "new"
        titles = f"{hit.copy.title[:30]} | {hit.source.title[:30]}"
        yield f"  {mark:6}{hit.kind!s:14}{hit.score:.2f} {hit.longest:6} {titles}"
    if listed_in is not None:
        _write(listed_in, hits, known, files)


def _known(data: Path) -> dict[Pair, dict[str, str]]:
    with gzip.open(data / "site_reposts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {frozenset((data / "sites" / row[side]).resolve() for side in "ab"): row for row in rows}


def _pair(hit: HitRecord, files: Mapping[str, Path]) -> Pair:
    return frozenset((files.get(hit.copy.url), files.get(hit.source.url)))


def _write(listed_in: Path, hits: Sequence[HitRecord], known: Mapping[Pair, object], files: Mapping[str, Path]) -> None:
    rows = (
        {
            "known": _pair(hit, files) in known,
            "kind": str(hit.kind),
            "score": round(hit.score, 3),
            "longest": hit.longest,
            "copy": _side(hit.copy.url, hit.copy.title, hit.copy.share, files),
            "source": _side(hit.source.url, hit.source.title, hit.source.share, files),
            "passages": [
                [one.left_start, one.left_end, one.right_start, one.right_end, one.is_boilerplate]
                for one in hit.passages
            ],
        }
        for hit in hits
    )
    listed_in.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def _side(url: str, title: str, share: float, files: Mapping[str, Path]) -> dict[str, object]:
    return {"file": str(files.get(url)), "url": url, "title": title, "share": round(share, 3)}
