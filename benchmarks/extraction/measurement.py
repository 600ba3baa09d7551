"""One measurement of extraction: every labelled page in some folders, with every reader."""

import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.common.report import Progress
from benchmarks.extraction.other_python import OtherPython, other_python
from benchmarks.extraction.report import Measurement
from benchmarks.extraction.run import Options, measure
from benchmarks.extraction.stated_texts import pages_with_their_text
from benchmarks.extraction.web_pages import WebPage, holds_web_pages, web_pages
from benchmarks.extraction.web_run import measured

_PACKED: Final = "*pages*.tar.xz"
_CORPUS: Final = "extraction/news_gold.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Sources:
    """`corpora`: folders that `benchmarks.extraction.corpus` reads. `web`: those that `web_pages` reads."""

    corpora: Sequence[Path]
    web: Sequence[Path]


@contextmanager
def sources_in(folders: Sequence[Path]) -> Iterator[Sources]:
    """The labelled pages in the folders and in the folders below them; archives are unpacked until the block ends.

    Raises OSError and tarfile.TarError.
    """
    with TemporaryDirectory(prefix="zhiwen-bench-") as room:
        packed = [path for folder in folders for path in sorted(folder.glob(_PACKED))]
        unpacked = [_unpacked(path, Path(room, str(number))) for number, path in enumerate(packed)]
        places = [place for folder in (*folders, *unpacked) for place in (folder, *_below(folder))]
        corpora = [folder for folder in folders if (folder / _CORPUS).is_file()]
        yield Sources(corpora, [place for place in places if holds_web_pages(place)])


def _below(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.iterdir() if path.is_dir())


def _unpacked(archive: Path, room: Path) -> Path:
    room.mkdir()
    with tarfile.open(archive) as tar:
        tar.extractall(room, filter="data")
    return room


NOT_GIVEN = "no --python that has it"
OTHERS = ("newspaper4k", "resiliparse", "magic-html", "GNE", "goose3", "boilerpy3")


class NothingToMeasure(Exception):
    """The folders hold no labelled pages."""


def run_extraction(
    folders: Sequence[Path], python: Path | None, options: Options, *, progress: Progress
) -> Measurement:
    """Measures on the labelled pages in `folders`. `python`: another Python, with readers that are not installed here.

    Raises NothingToMeasure, OtherPythonFailed, OSError, tarfile.TarError.
    """
    with sources_in(folders) as sources:
        if not sources.web and not sources.corpora:
            raise NothingToMeasure
        with nullcontext() if python is None else other_python(python) as other:
            return _measured(sources, other, options, progress)


def _sets_of_pages(folders: Sequence[Path]) -> Iterator[tuple[str, list[WebPage]]]:
    """The pages of each folder by their labels, and again those whose data state their whole text."""
    for folder in folders:
        pages = web_pages(folder)
        yield folder.name, pages
        stated = list(pages_with_their_text(pages))
        if stated:
            yield f"{folder.name}, texts in their data", stated


def _measured(sources: Sources, other: OtherPython | None, options: Options, progress: Progress) -> Measurement:
    web = [measured(name, pages, other, progress=progress) for name, pages in _sets_of_pages(sources.web)]
    corpora = []
    for number, folder in enumerate(sources.corpora):
        progress("reading the Chinese corpus", number, len(sources.corpora))
        corpora.append(measure(folder, options))
    missing = dict.fromkeys(OTHERS, NOT_GIVEN) if other is None else other.missing
    return Measurement(web, corpora, {} if other is None else other.readers, missing)
