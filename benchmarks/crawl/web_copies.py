"""Copies of web sites in folders: the file for an address, and the files that their own links reach."""

import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from mimetypes import guess_type
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.extraction.html.charset import decode
from crawler.extraction.html.parsing import parse
from crawler.extraction.metadata.page_metadata import base_url, feed_links, links_of
from crawler.network.loopback_server import Answer, LoopbackServer

FRONT_PAGE: Final = "index.html"
MARKUP: Final = frozenset({".html", ".htm", ".xml"})
MAPS: Final = ("/sitemap.xml",)

_BASE: Final = "http://copy.invalid"
_PAGES_HOST: Final = ".github.io"
_NAMED: Final = re.compile(
    r"""<link[^>]{0,200}rel=["']?canonical[^>]{0,200}href=["']?(?P<one>https?://[^"'\s>]+)
      | <meta[^>]{0,200}og:url[^>]{0,200}content=["']?(?P<other>https?://[^"'\s>]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_IN_MAP: Final = re.compile(r"<(?:loc|link|guid)[^>]*?(?:href=[\"']([^\"']+)[\"'][^>]*)?>\s*([^<\s]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WebCopy:
    """`name` is that of its folder; `root` holds its front page; `hosts` are its own in links; `prefix` is the part of
    its paths that stands for `root`, where that is not the top of its host.
    """

    name: str
    root: Path
    hosts: tuple[str, ...]
    prefix: str = ""

    def file_of(self, path: str) -> Path | None:
        """The file for a path, as servers of static sites choose it; None if there is none."""
        inner = unquote(path).removeprefix(self.prefix).strip("/")
        for name in (inner, f"{inner}/{FRONT_PAGE}", f"{inner}.html"):
            file = (self.root / name.strip("/")).resolve()
            if file.is_relative_to(self.root.resolve()) and file.is_file():
                return file
        return None

    def answer(self, path: str, *, base: str) -> Answer | None:
        file = self.file_of(path)
        if file is None:
            return None
        kind = guess_type(file.name)[0] or "application/octet-stream"
        return Answer(self.body_of(file, base=base), kind, f'"{file.stat().st_mtime_ns:x}"')

    def body_of(self, file: Path, *, base: str) -> bytes:
        """The file's bytes, with absolute links to the site rewritten to `base`."""
        body = file.read_bytes()
        return self.led_to(body, base=base) if file.suffix in MARKUP else body

    def led_to(self, text: bytes, *, base: str) -> bytes:
        """A text with its absolute links to this site rewritten to `base`."""
        for host in self.hosts:
            text = re.sub(rb"https?:(?:\\?/){2}" + re.escape(host.encode()), base.encode(), text)
        return text


@contextmanager
def served_copy(copy: WebCopy) -> Iterator[LoopbackServer]:
    server = LoopbackServer()
    server.answers = partial(copy.answer, base=server.address)
    with server.running():
        yield server


def copies_in(folder: Path) -> list[WebCopy]:
    """The folders in `folder` with a front page, by name."""
    found = []
    for one in sorted(path for path in folder.iterdir() if path.is_dir()):
        fronts = sorted(one.rglob(FRONT_PAGE), key=lambda path: (len(path.parts), str(path)))
        if fronts:
            found.append(_copy(one.name, fronts[0].parent))
    return found


def _copy(name: str, root: Path) -> WebCopy:
    owner, _, repository = name.partition("+")
    has_own_host = repository.lower().endswith(_PAGES_HOST)
    given = root / "CNAME"
    hosts = [repository.lower() if has_own_host else f"{owner.lower()}{_PAGES_HOST}"]
    hosts += given.read_text("utf-8").split()[:1] if given.exists() else []
    front = (root / FRONT_PAGE).read_text("utf-8", "replace")
    hosts += [urlsplit(found["one"] or found["other"]).netloc for found in _NAMED.finditer(front)]
    hosts += [f"www.{host}" for host in hosts]
    leads_below = re.search(rf"""=["']?/{re.escape(repository)}/""", front)
    prefix = f"/{repository}" if leads_below else ""
    return WebCopy(name, root, tuple(dict.fromkeys(filter(None, hosts))), prefix)


def reached(copy: WebCopy) -> frozenset[Path]:
    """The files reached from the front page over every link, feed and sitemap."""
    waiting = deque([f"{copy.prefix}/", *(copy.prefix + path for path in MAPS)])
    asked, found = set(waiting), set()
    while waiting:
        path = waiting.popleft()
        file = copy.file_of(path)
        if file is None or file.suffix not in MARKUP:
            continue
        found.add(file)
        new = {urlsplit(link).path for link in _links(copy, file, path) if link.startswith(_BASE)} - asked
        asked |= new
        waiting.extend(sorted(new))
    return frozenset(found)


def _links(copy: WebCopy, file: Path, path: str) -> Iterator[str]:
    decoded = decode(copy.body_of(file, base=_BASE))
    if decoded is None:
        return
    if file.suffix == ".xml":
        for attribute, text in _IN_MAP.findall(decoded.text):
            yield attribute or text
        return
    root = parse(decoded.text)
    if root is not None:
        base = base_url(root, f"{_BASE}{path}")
        yield from links_of(root, base)
        yield from feed_links(root, base)
