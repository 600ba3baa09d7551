"""The program's own commands on a store of many pages: an import, and checks one by one and many at once."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final

from benchmarks.speed.store.material import CHARS
from benchmarks.speed.store.text_generator import articles
from storage.engine import transaction
from storage.intake import import_progress

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.imports import Mark

LOOK_EVERY_S: Final = 0.05
_SAID: Final = re.compile(r"(\d+) records in ([\d.]+) s")
_OPTIONS: Final = "site= rights=unknown"


class CommandFailed(Exception):
    """A command of the program failed; the message holds its output."""


@dataclass(frozen=True, slots=True)
class Imported:
    """`rate`: articles a second as the command prints it, without its start. `longest_stall_s`: between two batches."""

    pages: int
    articles: int
    rate: float
    longest_stall_s: float


@dataclass(frozen=True, slots=True)
class Checked:
    """Texts a second by `zhiwen check` of one file with many records, and of one file for each."""

    pages: int
    together: float
    apart: float


def measure_import(engine: "Engine", home: Path, *, pages: int, count: int) -> Imported:
    """Takes `count` made-up articles in, other ones each time."""
    with tempfile.TemporaryDirectory(prefix="zhiwen-bench-") as folder:
        file = Path(folder) / "articles.jsonl"
        file.write_text("".join(_lines(articles(int.from_bytes(os.urandom(6)), count, CHARS))), "utf-8")
        reached: list[tuple[float, int]] = []
        with started("import", str(file), home=home) as process:
            while process.poll() is None:
                mark = _mark(engine, file)
                if mark is not None and (not reached or reached[-1][1] != mark.number):
                    reached.append((perf_counter(), mark.number))
                sleep(LOOK_EVERY_S)
            said = ended(process)
    found = _SAID.search(said)
    if found is None:
        raise CommandFailed(said)
    steps = [later[0] - earlier[0] for earlier, later in pairwise(reached)]
    return Imported(pages, count, int(found[1]) / float(found[2]), max(steps, default=0.0))


def measure_checks(home: Path, texts: Sequence[str], *, pages: int, alone: int) -> Checked:
    with tempfile.TemporaryDirectory(prefix="zhiwen-bench-") as folder:
        many = Path(folder) / "many.jsonl"
        many.write_text("".join(_lines(texts)), "utf-8")
        together = _seconds("check", str(many), "--json", home=home)
        began = perf_counter()
        for number, text in enumerate(texts[:alone]):
            one = Path(folder) / f"{number}.txt"
            one.write_text(text, "utf-8")
            _seconds("check", str(one), "--json", home=home)
        apart = (perf_counter() - began) / alone
    return Checked(pages, len(texts) / together, 1 / apart)


def _lines(texts: Sequence[str]) -> Iterator[str]:
    mark = os.urandom(6).hex()
    for number, text in enumerate(texts):
        record = {"url": f"https://import.example/{mark}/{number}.html", "title": f"第{number}篇", "text": text}
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _mark(engine: "Engine", file: Path) -> "Mark | None":
    with transaction(engine) as session:
        return import_progress.mark_of(session, str(file.absolute()), _OPTIONS)


def _seconds(*command: str, home: Path) -> float:
    began = perf_counter()
    with started(*command, home=home) as process:
        ended(process)
    return perf_counter() - began


def started(*command: str, home: Path) -> "subprocess.Popen[str]":
    """A command on the store in `home`, by wording alone: what meaning costs is a benchmark of its own."""
    surroundings = os.environ | {"ZHIWEN_HOME": str(home), "ZHIWEN_ENCODER": "off"}
    surroundings.pop("DATABASE_URL", None)
    return subprocess.Popen(  # noqa: S603  # ours
        [sys.executable, "-m", "zhiwen", *command],
        env=surroundings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: "subprocess.Popen[str]") -> str:
    _, said = process.communicate()
    if process.returncode:
        raise CommandFailed(said)
    return said
