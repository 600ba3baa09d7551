"""What is planted at the edges of pages: footers of many lengths, notes about authors, credits and licence lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.corpus.word_lists import sections

LENGTHS: Final = (40, 80, 120, 160, 240, 320, 400)
"""Characters of footers."""
HOSTS_EACH: Final = 2
"""Hosts that share a piece: what stands on one host alone accuses nobody."""
NOTED: Final = 0.5
"""Share of a host's pages that carry its author's note or its credit, but never fewer than two."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A wording, perhaps with names and dates that each page fills in anew, and where pages have it."""

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
    """A footer of one of the lengths, without any word that tells what it is."""
    chars = rng.choice(LENGTHS)
    text = "".join(rng.sample(wordings, len(wordings)))
    return Piece("footer", text[:chars])


def pieces_of(hosts: Sequence[str], rng: Random, *, validating: bool) -> dict[str, list[Piece]]:
    """The pieces of each host. Every two hosts share a footer, a note, and a line that its form tells.

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
