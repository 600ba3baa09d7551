"""The report of a measurement of extraction: tables, JSON, and a file of what was wrong on which page. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.common.report import RanOn, Report, this_machine
from benchmarks.extraction.corpus_report import corpus_tables, corpus_value
from benchmarks.extraction.run import Measured
from benchmarks.extraction.web_report import web_tables, web_value, wrong_fields
from benchmarks.extraction.web_run import WebResult

_NOTES: Final = (
    "Time: processor time relative to trafilatura's main text alone, all readers in turn on each page. Zhiwen's "
    "includes metadata, links and the fingerprint.",
    "Titles and authors by their letters, in any order of names; dates by the day; the same rules for all readers.",
    "Languages: labels are those of the labelled sentences by py3langid, where it is sure.",
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """`versions` of the readers in another Python; `missing`: why others have none."""

    web: Sequence[WebResult] = ()
    corpora: Sequence[Measured] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)


def report_of(done: Measurement, *, worst: int = 0) -> Report:
    machine = this_machine()
    header = [RanOn(**machine).line]
    if done.versions:
        header.append("In the other Python: " + ", ".join(f"{name} {of}" for name, of in done.versions.items()) + ".")
    header += [f"Missing: {name}: {reason}." for name, reason in done.missing.items()]
    tables = [table for result in done.web for table in web_tables(result, worst=worst)]
    tables += [table for measured in done.corpora for table in corpus_tables(measured, worst=worst)]
    value = {
        "ran_on": machine,
        "web": [web_value(result) for result in done.web],
        "corpora": [corpus_value(measured) for measured in done.corpora],
        "versions": dict(done.versions),
        "missing": dict(done.missing),
    }
    wrong = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in wrong_fields(done.web))
    files = {"extraction-wrong.jsonl": wrong} if done.web else {}
    return Report("extraction", "Extraction beside other readers", header, tables, value, notes=_NOTES, files=files)
