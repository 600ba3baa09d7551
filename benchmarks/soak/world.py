"""The web of the soak: sites whose pages appear, are copied, change and disappear, and the truth about them."""

import random
import threading
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from benchmarks.common.made_up_texts import Wording
from benchmarks.disguises.texts import DISGUISES, EXCERPT
from storage.types import SiteRole

ORIGINALS: Final = ("晨报", "晚报")
COPIERS: Final = ("万象网", "聚合站", "转载园")

PUBLISH, COPY, CHANGE, REMOVE = "publish", "copy", "change", "remove"
SHARES: Final = {PUBLISH: 0.4, COPY: 0.3, CHANGE: 0.18, REMOVE: 0.12}
"""Shares of the acts. If there is nothing yet to copy, change or remove, a page is published."""

PARAGRAPHS: Final = 6
SENTENCES: Final = 3


@dataclass(frozen=True, slots=True)
class Article:
    """One page, as it is now."""

    path: str
    title: str
    text: str
    published: datetime
    modified: datetime


@dataclass(frozen=True, slots=True)
class Planted:
    """A copy and its source page, by site and path."""

    copy: tuple[str, str]
    source: tuple[str, str]
    disguise: str


@dataclass(slots=True)
class SoakSite:
    """A site: its pages by path, and every path that it ever had."""

    name: str
    role: SiteRole
    pages: dict[str, Article] = field(default_factory=dict)
    ever: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    """Paths of articles that were requested while they existed."""
    removed: set[str] = field(default_factory=set)


class World:
    """All sites. Acts and answers may come from several threads. The same seed makes the same acts."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # made-up text
        self._wording = Wording(seed)
        self._number = 0
        self._lock = threading.Lock()
        originals = [SoakSite(name, SiteRole.ORIGINAL) for name in ORIGINALS]
        copiers = [SoakSite(name, SiteRole.WATCHED) for name in COPIERS]
        self.sites = {site.name: site for site in (*originals, *copiers)}
        self.planted: list[Planted] = []
        self.acts = dict.fromkeys(SHARES, 0)

    def act(self, now: datetime) -> str:
        """Performs one random act on this web and returns it."""
        with self._lock:
            kind = self._chance.choices(list(SHARES), weights=list(SHARES.values()))[0]
            done = {COPY: self._copy, CHANGE: self._change, REMOVE: self._remove}.get(kind, self._publish)(now)
            if not done:
                kind = PUBLISH
                self._publish(now)
            self.acts[kind] += 1
            return kind

    def page(self, site: str, path: str) -> Article | None:
        """The page at a path; recorded as requested."""
        with self._lock:
            found = self.sites[site].pages.get(path)
            if found is not None:
                self.sites[site].asked.add(path)
            return found

    def listed(self, site: str) -> list[Article]:
        """All pages of a site, the newest first."""
        with self._lock:
            return sorted(self.sites[site].pages.values(), key=lambda article: article.modified, reverse=True)

    def _publish(self, now: datetime) -> bool:
        self._put(self._chance.choice(list(self.sites.values())), self._title(), self._text(), now)
        return True

    def _copy(self, now: datetime) -> bool:
        sources = [(site, page) for site in self._of(SiteRole.ORIGINAL) for page in site.pages.values()]
        if not sources:
            return False
        site, page = self._chance.choice(sources)
        name = self._chance.choice(list(DISGUISES))
        text = DISGUISES[name](page.text, self._chance)
        copier = self._chance.choice(self._of(SiteRole.WATCHED))
        copy = self._put(copier, self._title() if name == EXCERPT else page.title, text, now)
        self.planted.append(Planted((copier.name, copy.path), (site.name, page.path), name))
        return True

    def _change(self, now: datetime) -> bool:
        found = self._any_page()
        if found is None:
            return False
        site, page = found
        paragraphs = page.text.split("\n")
        paragraphs[self._chance.randrange(len(paragraphs))] = self._paragraph()
        site.pages[page.path] = replace(page, text="\n".join([*paragraphs, self._paragraph()]), modified=now)
        return True

    def _remove(self, _now: datetime) -> bool:
        found = self._any_page()
        if found is None:
            return False
        site, page = found
        del site.pages[page.path]
        site.removed.add(page.path)
        return True

    def _any_page(self) -> tuple[SoakSite, Article] | None:
        pages = [(site, page) for site in self.sites.values() for page in site.pages.values()]
        return self._chance.choice(pages) if pages else None

    def _of(self, role: SiteRole) -> list[SoakSite]:
        return [site for site in self.sites.values() if site.role is role]

    def _put(self, site: SoakSite, title: str, text: str, now: datetime) -> Article:
        self._number += 1
        article = Article(f"/news/{self._number}.html", title, text, now, now)
        site.pages[article.path] = article
        site.ever.add(article.path)
        return article

    def _title(self) -> str:
        return self._wording.title(self._chance.randrange(1, 1 << 30))

    def _text(self) -> str:
        return "\n".join(self._paragraph() for _ in range(PARAGRAPHS))

    def _paragraph(self) -> str:
        return "".join(self._wording.sentence(self._chance) for _ in range(SENTENCES))
