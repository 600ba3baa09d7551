"""The result as a table and as JSON."""

from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from benchmarks.common.report import RanOn, Report, Table, this_machine
from benchmarks.peers.run import GROUPS, Line, PeersResult
from benchmarks.peers.table import PEERS

COLUMNS: Final = (
    *("method", "index, s", "index, bytes a text", "query, ms"),
    *("copies found", "passages of 300", "of 120", "of 60", "innocents left alone"),
)
_NOTES: Final = (
    "Times are processor time, of Zhiwen with that of its database server; one process each.",
    "Index: from the texts to an index that can be asked. Zhiwen's time includes storing pages and texts, and learning "
    "boilerplate.",
    "Bytes: growth of the memory of the process; of Zhiwen, fingerprints and their indexes on disk.",
    "A query returns the stored texts that resemble a text. Zhiwen's also aligns and judges each of them.",
    "Innocents that truly share 60 characters with what was named, and with nothing else, are not counted.",
)


def report_of(result: PeersResult, *, seed: int) -> Report:
    machine = this_machine()
    probes = ", ".join(f"{count} {name}" for name, count in result.probes.items())
    header = (
        RanOn(**machine).line,
        f"{result.texts:,} texts of {result.text_bytes / max(1, result.texts):,.0f} bytes, seed {seed}; {probes}.",
        f"Versions: {', '.join(_versions())}.",
        *(f"Left out: {one.name}: {one.reason}." for one in result.left_out),
    )
    settings = Table(("method", "setting"), [(line.name, line.setting) for line in result.lines], title="Settings")
    value = asdict(result) | {"ran_on": machine, "seed": seed}
    table = Table(COLUMNS, [_row(line, result) for line in result.lines])
    return Report("peers", "Zhiwen beside other packages", header, (table, settings), value, notes=_NOTES)


def _row(line: Line, result: PeersResult) -> tuple[str, ...]:
    shares = ("" if line.shares[group] is None else f"{line.shares[group]:.3f}" for group in GROUPS)
    size = f"{line.index_bytes / max(1, result.texts):,.0f}"
    return (line.name, f"{line.index_s:.1f}", size, f"{line.query_ms:.2f}", *shares)


def _versions() -> list[str]:
    found = []
    for module in dict.fromkeys(peer.module for peer in PEERS):
        try:
            found.append(f"{module} {version(module)}")
        except PackageNotFoundError:
            continue
    return found
