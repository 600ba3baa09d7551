"""Learns a site during its crawl: blocks that repeat on many pages, and shapes of addresses of lists.

Bounded in memory.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from crawler.urls.canonical import shape_of
from storage.records.crawl import Learned

FEWEST_PAGES: Final = 5
"""Articles that hold a block before it counts as boilerplate of the site."""

REPEATED_SHARE: Final = 0.1
"""Share of the articles read so far that must hold it, too: five of 10,000 may quote the same line."""

MARKS_COUNTED: Final = 60_000
"""Blocks counted at once: 10 MB. Blocks seen again within two thousand pages stay."""

MARKS_KNOWN: Final = 2_000
"""Sent along with every page that is read."""

LEARN_EVERY: Final = 20
"""Articles between two evaluations of the counts."""

FEWEST_LISTS: Final = 4
LISTS_SHARE: Final = 0.9
"""Share of the pages of one shape that were lists, for the next one to count as a list before it is read."""

SHAPES_COUNTED: Final = 5_000
SHAPES_KNOWN: Final = 500


class Repeats:
    """Blocks that repeat on many of a site's articles."""

    def __init__(self, known: Iterable[int] = ()) -> None:
        self._known = frozenset(known)
        self._counts: Counter[int] = Counter()
        self._articles = 0
        self.elsewhere: frozenset[int] = self._known

    def saw(self, marks: Iterable[int]) -> None:
        """Counts the blocks of one article, each once."""
        self._counts.update(frozenset(marks))
        self._articles += 1
        if len(self._counts) > MARKS_COUNTED:
            # Frequent blocks lose little by it; blocks met once are dropped.
            self._counts = Counter({mark: count - 1 for mark, count in self._counts.items() if count > 1})
        if self._articles % LEARN_EVERY == 0:
            self.learn()

    def learn(self) -> None:
        """Evaluates the counts; blocks known before stay as long as there is room."""
        least = max(FEWEST_PAGES, REPEATED_SHARE * self._articles)
        frequent = [mark for mark, count in self._counts.most_common(MARKS_KNOWN) if count >= least]
        earlier = sorted(self._known - set(frequent))
        self.elsewhere = frozenset([*frequent, *earlier][:MARKS_KNOWN])


class Shapes:
    """Shapes of addresses that lead to lists, by the pages that were read."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._lists: Counter[str] = Counter(dict.fromkeys(known, FEWEST_LISTS))
        self._articles: Counter[str] = Counter()

    def saw(self, url: str, *, is_list: bool) -> None:
        counts = self._lists if is_list else self._articles
        shape = shape_of(url)
        if shape in counts or len(counts) < SHAPES_COUNTED:
            counts[shape] += 1

    def says_list(self, url: str) -> bool:
        return self._is_of_lists(shape_of(url))

    @property
    def of_lists(self) -> frozenset[str]:
        """The most frequent of them."""
        likely = (shape for shape, _ in self._lists.most_common() if self._is_of_lists(shape))
        return frozenset(shape for shape, _ in zip(likely, range(SHAPES_KNOWN), strict=False))

    def _is_of_lists(self, shape: str) -> bool:
        lists = self._lists[shape]
        return lists >= FEWEST_LISTS and lists >= LISTS_SHARE * (lists + self._articles[shape])


class Lessons:
    """Everything that a crawl learns, beginning with the lessons of earlier crawls."""

    def __init__(self, learned: Learned | None = None) -> None:
        before = learned or Learned()
        self.repeats = Repeats(before.marks)
        self.shapes = Shapes(before.list_shapes)

    def learned(self) -> Learned:
        self.repeats.learn()
        return Learned(self.repeats.elsewhere, self.shapes.of_lists)
