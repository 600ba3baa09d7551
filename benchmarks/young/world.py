"""A young store: pages of some sites with pieces planted at their edges, and copies in the usual disguises.

Pieces are footers of many lengths, notes about authors, credits and licence lines.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Language, Material
from benchmarks.corpus.word_lists import sections
from benchmarks.disguises.blocks import Block, own, spans_of, text_of, whole
from benchmarks.disguises.characters import homophones, traditional
from benchmarks.disguises.combined import combined
from benchmarks.disguises.excerpts import excerpt, passage
from benchmarks.disguises.frames import embedded, framed, new_lead
from benchmarks.disguises.kit import Arrangement, Kit, disguised, kit_for
from benchmarks.disguises.order import shuffle_paragraphs
from benchmarks.disguises.segmentation import opening
from benchmarks.disguises.words import word_edits
from benchmarks.young.corpus import SitePage

LENGTHS: Final = (40, 80, 120, 160, 240, 320, 400)
"""Characters of footers."""
HOSTS_EACH: Final = 2
"""Hosts that share a piece: a piece of one host alone causes no hits."""
NOTED: Final = 0.5
"""Share of a host's pages that carry its author's note or its credit, but never fewer than two."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A wording, perhaps with names and dates that differ on each page, and its place on the page."""

    kind: str
    wording: str
    at_top: bool = False

    def filled(self, rng: Random) -> str:
        names = sections("pieces-zh.txt")["names"]
        text = self.wording
        while "{name}" in text:
            text = text.replace("{name}", rng.choice(names), 1)
        date = f"{rng.randint(2015, 2026)}年{rng.randint(1, 12)}月{rng.randint(1, 28)}日"
        return text.replace("{date}", date).replace("{number}", str(rng.randint(1_000, 99_999)))


def footer(rng: Random, wordings: Sequence[str]) -> Piece:
    """A footer of one of the lengths, without any word that identifies it as one."""
    chars = rng.choice(LENGTHS)
    text = "".join(rng.sample(wordings, len(wordings)))
    return Piece("footer", text[:chars])


def pieces_of(hosts: Sequence[str], rng: Random, *, validating: bool) -> dict[str, list[Piece]]:
    """The pieces of each host. Every two hosts share a footer, a note, and a line that is recognised by its form.

    `validating` takes the other half of the wordings.
    """
    known = {kind: found[validating::2] for kind, found in sections("pieces-zh.txt").items()}
    found: dict[str, list[Piece]] = {host: [] for host in hosts}
    for kind in ("footer", "author", "told"):
        order = rng.sample(hosts, len(hosts))
        for start in range(0, len(order), HOSTS_EACH):
            piece = (
                footer(rng, sections("pieces-zh.txt")["footer"])
                if kind == "footer"
                else Piece(kind, rng.choice(known[kind]), at_top=rng.random() < 0.3)  # three in ten
            )
            for host in order[start : start + HOSTS_EACH]:
                found[host].append(piece)
    return found


HELD: Final = 60
"""Pages that are not stored: copiers' own texts and vocabulary."""
COPIES_SHARE: Final = 0.125
FEWEST_COPIES: Final = 6
FEWEST_BEARERS: Final = 2
LEAD_CHARS: Final = 220

PLAIN: Final[Mapping[str, Arrangement]] = {
    "frame": framed,
    "words-15": disguised(word_edits(0.15)),
    "words-30": disguised(word_edits(0.30)),
    "paragraphs": shuffle_paragraphs,
    "excerpt-25": disguised(excerpt(0.25)),
    "excerpt-50": disguised(excerpt(0.50)),
    "homophones-10": disguised(homophones(0.10)),
    "traditional": disguised(traditional),
    "new-lead": new_lead,
    "combined": combined,
    "passage-150": lambda block, kit, rng: embedded(passage(block, 150, kit.language, rng), kit, rng),
}
TWICE: Final = ("print-view", "two-parts")
"""The same article on two pages of one host."""
LEAD: Final = "lead"
"""The first sentences at the top of a page of the copier's own."""
FAMILIES: Final = (*PLAIN, *TWICE, LEAD)


@dataclass(frozen=True, slots=True)
class Planted:
    """A page as it is stored. `pieces`: where what was planted at its edges stands, with its kind.

    `copied`: start and end of each copied stretch, here and in the body of its source. `body_at`: where the body is.
    """

    url: str
    site: str
    text: str
    pieces: tuple[tuple[int, int, str], ...]
    body_at: int
    copied: tuple[tuple[int, int, int, int], ...] = ()
    copy_of: str = ""
    family: str = ""


class PoolTooSmall(Exception):  # reads as what it says
    """The sites hold fewer pages than are to be stored."""


def draw(parts: Sequence[SitePage], size: int, rng: Random, *, validating: bool) -> tuple[Planted, ...]:
    """`size` pages, and the copies beside them. Raises PoolTooSmall."""
    if len(parts) < size + HELD:
        message = f"The sites hold {len(parts)} pages. {size} to store and {HELD} to copy with are needed."
        raise PoolTooSmall(message)
    stored, held = _drawn(parts, size, rng)
    hosts = sorted({page.site for page in stored})
    pieces = pieces_of(hosts, rng, validating=validating)
    pages = list(_originals(stored, pieces, rng))
    kit = kit_for(Material(Language.CHINESE, (), tuple(Article(one.url, one.title, one.text) for one in held)))
    return (*pages, *_copies(stored, hosts, pieces, kit, rng))


def _drawn(parts: Sequence[SitePage], size: int, rng: Random) -> tuple[list[SitePage], list[SitePage]]:
    """Pages to store, of all sites in turn while they last, and others to copy with: one site has half of all pages."""
    of_site: defaultdict[str, list[SitePage]] = defaultdict(list)
    for page in rng.sample(list(parts), len(parts)):
        of_site[page.site].append(page)
    in_turn = [page for row in zip_longest(*of_site.values()) for page in row if page is not None]
    return in_turn[:size], in_turn[size : size + HELD]


def host_of(site: str) -> str:
    """Host names that lead nowhere, whatever the real ones are."""
    return f"{site.replace('+', '-').lower()}.invalid"


def _originals(stored: Sequence[SitePage], pieces: Mapping[str, Sequence[Piece]], rng: Random) -> Iterator[Planted]:
    bearers: defaultdict[tuple[str, Piece], int] = defaultdict(int)
    for number, page in enumerate(stored):
        here = []
        for piece in pieces[page.site]:
            is_due = piece.kind == "footer" or bearers[page.site, piece] < FEWEST_BEARERS or rng.random() < NOTED
            if is_due:
                bearers[page.site, piece] += 1
                here.append(piece)
        yield _page(f"https://{host_of(page.site)}/{number}", page.site, (own(page.text),), here, rng)


def _page(url: str, site: str, blocks: Sequence[Block], pieces: Sequence[Piece], rng: Random, **copied: str) -> Planted:
    text, body, at, spans = "", text_of(blocks), 0, []
    for piece in sorted(pieces, key=lambda piece: (not piece.at_top, piece.kind == "footer")):
        if not piece.at_top and body:
            text, body, at = f"{text}{body}\n", "", len(text)
        filled = piece.filled(rng)
        spans.append((len(text), len(text) + len(filled), piece.kind))
        text += f"{filled}\n"
    at = len(text) if body else at
    stretches = tuple((at + span.start, at + span.end, span.source_start, span.source_end) for span in spans_of(blocks))
    return Planted(url, site, (text + body).rstrip(), tuple(spans), at, stretches, **copied)


def _copies(
    stored: Sequence[SitePage], hosts: Sequence[str], pieces: Mapping[str, Sequence[Piece]], kit: Kit, rng: Random
) -> Iterator[Planted]:
    """Each source is copied once, so that hits can be kept apart."""
    wanted = max(FEWEST_COPIES, round(COPIES_SHARE * len(stored)))
    sources = rng.sample(list(enumerate(stored)), min(wanted, len(stored)))
    start = rng.randrange(len(FAMILIES))
    for number, (place, source) in enumerate(sources):
        family = FAMILIES[(start + number) % len(FAMILIES)]
        site = rng.choice([host for host in hosts if host != source.site])
        for page, blocks in enumerate(_bodies(family, source, kit, rng)):
            url = f"https://{host_of(site)}/copy/{number}-{page}"
            yield _page(
                url, site, blocks, pieces[site], rng, copy_of=f"https://{host_of(source.site)}/{place}", family=family
            )


def _bodies(family: str, source: SitePage, kit: Kit, rng: Random) -> Iterator[tuple[Block, ...]]:
    block = whole(Article(source.url, source.title, source.text))
    lead = opening(block, LEAD_CHARS)
    if family in PLAIN:
        yield PLAIN[family](block, kit, rng)
    elif family == LEAD:
        yield lead, own(f"\n{rng.choice(kit.hosts).text}")
    elif family == "print-view":
        yield (block,)
        yield own("打印本页 关闭窗口\n"), block
    else:
        middle = len(block.text) // 2
        yield lead, own("\n"), block.cut(len(lead.text), middle)
        yield lead, own("\n"), block.cut(middle, len(block.text))
