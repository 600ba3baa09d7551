"""The scope of a site: which addresses belong to it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import MAX_URL_LENGTH, host_of
from crawler.urls.patterns import AddressPattern, TooSlow

MAX_PATH_PARTS: Final = 16
MAX_REPEATS_OF_A_PART: Final = 3
"""/a/b/a/b/a/b/…: relative links on a page that answers under any path."""

MAX_LINK_DEPTH: Final = 100
"""Links followed from a start page. Archives page by page go deep; an endless calendar goes deeper."""

MAX_PARAMETERS: Final = 24
"""More are filters combined with filters, for ever."""

_NOT_PAGES_TEXT: Final = """
    7z apk avi bmp bz2 css csv deb dmg doc eot epub exe flac flv gif gz ico iso jar jpeg jpg js json m4a m4v
    mkv mobi mov mp3 mp4 mpeg mpg msi ogg otf png ppt pptx psd rar rpm svg swf tar tgz tif tiff torrent ttf wav
    webm webp wma wmv woff woff2 xls xlsx xz zip
"""
_NOT_PAGES: Final = frozenset(_NOT_PAGES_TEXT.split())


@dataclass(frozen=True, slots=True)
class Scope:
    """Which addresses belong to a site."""

    hosts: frozenset[str]
    allow: tuple[AddressPattern, ...] = ()
    deny: tuple[AddressPattern, ...] = ()
    max_link_depth: int = MAX_LINK_DEPTH

    @classmethod
    def of(cls, hosts: Iterable[str], *, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> "Scope":
        """Raises BadScope if a pattern is not a regular expression."""
        lowered = frozenset(host.lower() for host in hosts)
        return cls(hosts=lowered, allow=tuple(map(AddressPattern, allow)), deny=tuple(map(AddressPattern, deny)))

    def refusal(self, url: str, *, link_depth: int = 0) -> Refusal | None:
        """Why a canonical URL is not fetched; None if it may be."""
        if len(url) > MAX_URL_LENGTH:
            return Refusal.URL_TOO_LONG
        if not self.has_host(url):
            return Refusal.OUT_OF_SCOPE
        path, query = urlsplit(url).path, urlsplit(url).query
        if query.count("&") >= MAX_PARAMETERS:
            return Refusal.ENDLESS_PARAMETERS
        if path.rpartition("/")[2].rpartition(".")[2].lower() in _NOT_PAGES and "." in path:
            return Refusal.WRONG_TYPE
        return self._refusal_of_path(path) or self._refusal_of_pattern(url) or self._refusal_of_depth(link_depth)

    def has_host(self, url: str) -> bool:
        host = host_of(url)
        return host in self.hosts or host.removeprefix("www.") in self.hosts or f"www.{host}" in self.hosts

    def _refusal_of_path(self, path: str) -> Refusal | None:
        named = [part for part in path.split("/") if part]
        if len(named) > MAX_PATH_PARTS:
            return Refusal.URL_TOO_DEEP
        if named and max(Counter(named).values()) > MAX_REPEATS_OF_A_PART:
            return Refusal.REPEATED_PATH
        return None

    def _refusal_of_pattern(self, url: str) -> Refusal | None:
        try:
            if any(pattern.is_in(url) for pattern in self.deny):
                return Refusal.DENIED
            if self.allow and not any(pattern.is_in(url) for pattern in self.allow):
                return Refusal.OUT_OF_SCOPE
        except TooSlow:
            return Refusal.SLOW_PATTERN
        return None

    def _refusal_of_depth(self, link_depth: int) -> Refusal | None:
        return Refusal.LINK_TOO_DEEP if link_depth > self.max_link_depth else None
