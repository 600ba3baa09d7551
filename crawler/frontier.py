"""Which addresses of a site were met in this run, and what is known of them."""

from collections import Counter
from typing import Final
from urllib.parse import urlsplit

from xxhash import xxh3_64_intdigest

from crawler.refusals import Refusal
from crawler.urls import Scope
from storage.records import Declared
from storage.types import FoundBy

MAX_VARIANTS_OF_A_PATH: Final = 500
"""Different query strings under one path. Forums page through topics by ?id=…; a calendar never ends."""

MAX_HINTS: Final = 200_000
SEEN: Final = "seen"


class Frontier:
    """Judges each address once. Addresses are remembered by 64-bit hashes: 100,000 of them take 10 MB."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._met: set[int] = set()
        self._variants: Counter[int] = Counter()
        self._hints: dict[str, tuple[FoundBy, Declared]] = {}

    def is_new(self, url: str) -> bool:
        """Whether `url` is met for the first time; it is met now."""
        digest = xxh3_64_intdigest(url.encode())
        if digest in self._met:
            return False
        self._met.add(digest)
        return True

    def refusal(self, url: str, *, link_depth: int) -> Refusal | str | None:
        """Why `url` is not fetched: a refusal, or SEEN where it was judged before; None where it is fetched."""
        if not self.is_new(url):
            return SEEN
        refusal = self._scope.refusal(url, link_depth=link_depth)
        if refusal is None and self._is_one_variant_too_many(url):
            return Refusal.ENDLESS_PARAMETERS
        return refusal

    def remember(self, url: str, found_by: FoundBy, declared: Declared) -> None:
        """What a feed or sitemap says of `url`; the first to say it is believed."""
        if len(self._hints) < MAX_HINTS:
            self._hints.setdefault(url, (found_by, declared))

    def hint(self, url: str) -> tuple[FoundBy, Declared]:
        return self._hints.get(url, (FoundBy.SPIDER, Declared()))

    def _is_one_variant_too_many(self, url: str) -> bool:
        parts = urlsplit(url)
        if not parts.query:
            return False
        path = xxh3_64_intdigest(f"{parts.netloc}{parts.path}".encode())
        self._variants[path] += 1
        return self._variants[path] > MAX_VARIANTS_OF_A_PATH
