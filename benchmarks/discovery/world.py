"""The web of the benchmark: copies of real sites, planted copies on further hosts, and what is known of both."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from benchmarks.common.report import Progress
from benchmarks.corpus.model import Language
from benchmarks.crawl.web_copies import FRONT_PAGE, WebCopy, copies_in, reached
from benchmarks.discovery.planted import Planted, Source, plant
from benchmarks.disguises.excerpts import prose_share
from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.charset import decode
from crawler.extraction.html.parsing import parse

NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
ZONE: Final = "Asia/Shanghai"
LEAST_PROSE: Final = 0.3
"""Share of Chinese characters of an article that is copied: on sites about technology much else is code."""
WORLD: Final = "world.json"
PLANTED: Final = "planted"
_SEEN: Final = "//body//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template)]"


@dataclass(frozen=True, slots=True)
class Request:
    """`sites`: their names; none: all. `copies` to plant, and `forbidden` further ones that robots.txt forbids.

    `least`: fewer copies are enough if the sites have no more articles; None: they are not.
    """

    seed: int
    copies: int
    forbidden: int
    sites: tuple[str, ...] = ()
    least: int | None = None


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page that a search service has seen. `file`: below the folder of all sites; `path`: on its host."""

    site: str
    file: str
    path: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class World:
    """`sites`: those of which one after the other is ours; `hosts`: with the planted copies.

    `reposts`: pairs of files of two sites, below the folder of all sites. `twins`: by a file that no page links, the
    linked one with the same bytes.
    """

    sites: tuple[WebCopy, ...]
    hosts: tuple[WebCopy, ...]
    planted: tuple[Planted, ...]
    reposts: frozenset[frozenset[str]]
    pages: tuple[IndexedPage, ...]
    twins: Mapping[str, str] = field(default_factory=dict)

    def file_of(self, site: str, path: str) -> str:
        """Return the file of an address below the folder of all sites; empty if there is none."""
        copy = next(one for one in (*self.sites, *self.hosts) if one.name == site)
        file = copy.file_of(path)
        return "" if file is None else _below(copy, file)


def world_in(data: Path, folder: Path, request: Request, *, progress: Progress) -> World:
    """Return the web of `data`, made in `folder`, or that which is there if it was made for the same request."""
    made = folder / WORLD
    wanted = {"data": str(data), **asdict(request)}
    sites = tuple(one for one in copies_in(data / "sites") if not request.sites or one.name in request.sites)
    if made.exists():
        found = json.loads(made.read_text("utf-8"))
        if found["request"] == json.loads(json.dumps(wanted)):
            return _from_json(found, data, sites, folder)
    reposts = _reposts(data, {one.name for one in sites})
    pages, sources = [], []
    for number, copy in enumerate(sites):
        progress("sites read", number, len(sites))
        files = sorted(reached(copy))
        pages += list(_indexed(copy, files))
        sources += list(_sources(copy, files, reposts))
    folder.mkdir(parents=True, exist_ok=True)
    planted = plant(
        _each_once(sources),
        folder / PLANTED,
        copies=request.copies,
        forbidden=request.forbidden,
        seed=request.seed,
        least=request.least,
    )
    for copy in copies_in(folder / PLANTED):
        pages += list(_indexed(copy, sorted(copy.root.resolve().rglob("*.html"))))
    rows = {"request": wanted, "planted": [asdict(one) for one in planted], "pages": [asdict(one) for one in pages]}
    made.write_text(json.dumps(rows, ensure_ascii=False), "utf-8", errors="replace")
    return _from_json(json.loads(made.read_text("utf-8")), data, sites, folder)


def _from_json(found: dict[str, list[dict[str, str]]], data: Path, sites: tuple[WebCopy, ...], folder: Path) -> World:
    planted = tuple(Planted(**one) for one in found["planted"])  # type: ignore[arg-type]
    pages = tuple(IndexedPage(**one) for one in found["pages"])
    hosts = tuple(copies_in(folder / PLANTED))
    reposts = _reposts(data, {one.name for one in sites})
    twins = _twins(data / "sites", {file for pair in reposts for file in pair}, {page.file for page in pages})
    return World(sites, hosts, planted, reposts, pages, twins)


def _twins(sites: Path, listed: set[str], linked: set[str]) -> dict[str, str]:
    """Some sites hold a page twice, and link it once."""
    wanted = {(sites / file).read_bytes(): file for file in listed - linked if (sites / file).is_file()}
    names = {Path(file).parent.name.lower() for file in listed - linked}
    near = (file for file in linked if Path(file).parent.name.lower() in names)
    same = ((file, wanted.get((sites / file).read_bytes())) for file in near if (sites / file).is_file())
    return {twin: file for file, twin in same if twin is not None}


def _reposts(data: Path, names: set[str]) -> frozenset[frozenset[str]]:
    listed = data / "site_reposts.jsonl.gz"
    if not listed.exists():
        return frozenset()
    with gzip.open(listed, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pairs = (frozenset((row["a"], row["b"])) for row in rows)
    return frozenset(pair for pair in pairs if all(file.partition("/")[0] in names for file in pair))


def _indexed(copy: WebCopy, files: Sequence[Path]) -> Iterator[IndexedPage]:
    for file in files:
        decoded = decode(file.read_bytes()) if file.suffix != ".xml" else None
        root = None if decoded is None else parse(decoded.text)
        if root is None:
            continue
        title = " ".join(root.xpath("string(//title)").split())
        text = " ".join(" ".join(root.xpath(_SEEN)).split())
        yield IndexedPage(copy.name, _below(copy, file), path_of(copy, file), title, text)


def path_of(copy: WebCopy, file: Path) -> str:
    """Return the address of a file on its host, as the site's own links have it."""
    path = file.resolve().relative_to(copy.root.resolve()).as_posix()
    return f"{copy.prefix}/{quote(path.removesuffix(FRONT_PAGE))}"


def _sources(copy: WebCopy, files: Sequence[Path], reposts: Iterable[frozenset[str]]) -> Iterator[Source]:
    """Articles to copy. Not those of the list of reposts: they are counted by themselves."""
    listed = {file for pair in reposts for file in pair}
    for file in files:
        name = _below(copy, file)
        if file.suffix == ".xml" or name in listed:
            continue
        url = f"https://{copy.hosts[0]}{path_of(copy, file)}"
        read = extract(file.read_bytes(), url=url, content_type="text/html", fetched_at=NOW, time_zone=ZONE)
        if isinstance(read, Article) and prose_share(read.text, Language.CHINESE) >= LEAST_PROSE:
            yield Source(copy.name, name, read.title, read.text)


def _each_once(sources: Iterable[Source]) -> list[Source]:
    """One source of each text: some stand at two addresses."""
    return list({source.text: source for source in sources}.values())


def _below(copy: WebCopy, file: Path) -> str:
    """The path of a file below the folder that holds the folders of all sites."""
    folder = copy.root.resolve()
    while folder.name != copy.name:
        folder = folder.parent
    return file.resolve().relative_to(folder.parent).as_posix()


def smallest_sites(data: Path, count: int) -> tuple[str, ...]:
    """Return the names of the sites with the fewest files, by name."""
    sizes = {one.name: sum(1 for _ in one.root.rglob("*.html")) for one in copies_in(data / "sites")}
    return tuple(sorted(sorted(sizes, key=lambda name: sizes[name])[:count]))
