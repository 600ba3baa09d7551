"""A page under construction: blocks of text that record the origin of each character in its source.

Disguises map a block to a block, so the true passages of a probe are known exactly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from benchmarks.corpus.model import Article, Span

NOWHERE: Final = -1
"""The origin of a character that the copier inserted."""

Edit: TypeAlias = tuple[int, int, str]
"""Start and end in the block's text (half open), and the replacement."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page. `origins` has one entry a character: its place in the source, or NOWHERE."""

    text: str
    origins: tuple[int, ...]
    source: str | None = None
    """The id of the article it is copied from; None for the page's own words."""

    def __post_init__(self) -> None:
        if len(self.text) != len(self.origins):
            message = f"{len(self.text)} characters but {len(self.origins)} origins"
            raise ValueError(message)

    def cut(self, start: int, end: int) -> "Block":
        return replace(self, text=self.text[start:end], origins=self.origins[start:end])

    def stripped(self) -> "Block":
        """The block without white space at its ends."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))


def whole(article: Article) -> Block:
    return Block(article.text, tuple(range(len(article.text))), article.id)


def own(text: str) -> Block:
    return Block(text, (NOWHERE,) * len(text))


def joined(parts: Sequence[Block]) -> Block:
    """Joins parts of one source, in the order given; text between two of them counts as an edit."""
    sources = {part.source for part in parts}
    if len(sources) != 1:
        message = f"blocks of one source are joined, not of {len(sources)}"
        raise ValueError(message)
    origins = tuple(origin for part in parts for origin in part.origins)
    return Block("".join(part.text for part in parts), origins, parts[0].source)


def edited(block: Block, edits: Iterable[Edit]) -> Block:
    """The block with these edits made, which must not overlap and must be in order.

    A replacement is spread evenly over the origins of the replaced text; inserted characters come from NOWHERE.
    """
    text: list[str] = []
    origins: list[int] = []
    done = 0
    for start, end, new in edits:
        if not done <= start <= end <= len(block.text):
            message = f"the edit of {start} to {end} overlaps another or lies outside the text"
            raise ValueError(message)
        text += block.text[done:start], new
        origins += block.origins[done:start]
        replaced = block.origins[start:end]
        origins += [replaced[i * len(replaced) // len(new)] if replaced else NOWHERE for i in range(len(new))]
        done = end
    text.append(block.text[done:])
    origins += block.origins[done:]
    return Block("".join(text), tuple(origins), block.source)


def text_of(blocks: Iterable[Block]) -> str:
    return "".join(block.text for block in blocks)


def spans_of(blocks: Iterable[Block]) -> tuple[Span, ...]:
    """One passage for each block that comes from a source, from its first to its last character from there.

    White space at its ends is left out.
    """
    spans: list[Span] = []
    start = 0
    for block in blocks:
        known = [place for place, origin in enumerate(block.origins) if origin != NOWHERE and block.text[place].strip()]
        if block.source is not None and known:
            origins = [block.origins[place] for place in known]
            first, last = start + known[0], start + known[-1] + 1
            spans.append(Span(first, last, block.source, min(origins), max(origins) + 1))
        start += len(block.text)
    return tuple(spans)
