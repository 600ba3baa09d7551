"""What a folder of labelled pages holds: pages of the web at large, a Chinese corpus, or both."""

import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.extraction.web_pages import holds_web_pages

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
