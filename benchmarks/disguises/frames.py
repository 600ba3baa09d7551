"""Surroundings of a copy: another site's frame as left by bad extraction, a host text, or a new title and lead."""

import re
from random import Random
from typing import Final

from benchmarks.corpus.model import Language
from benchmarks.corpus.word_lists import sections
from benchmarks.disguises.blocks import Block, own
from benchmarks.disguises.kit import Kit
from benchmarks.disguises.segmentation import opening, paragraphs, sentences

ABOVE: Final = ("menu", "crumbs", "byline")
BELOW: Final = ("share", "tags", "previous", "notice", "footer")
RELATED_TITLES: Final = (3, 8)
COMMENTS: Final = (0, 3)
MAX_HOST_CHARS: Final = 3_000
MIN_PARAGRAPH_CHARS: Final = 80
MAX_LEAD_SHARE: Final = 0.25
"""If the whole text is one paragraph, only its first sentences are rewritten."""
TOPIC_CHARS: Final = {Language.CHINESE: 12, Language.ENGLISH: 28}


def framed(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return in_frame((block,), kit, rng)


def in_frame(blocks: tuple[Block, ...], kit: Kit, rng: Random) -> tuple[Block, ...]:
    """The blocks with a frame above and below, drawn for each page; nothing of the frame is stored."""
    phrases = sections(f"frame-{kit.language}.txt")
    above = [frame_line(kind, kit.language, rng) for kind in ABOVE]
    related = [host.title or host.text[:20] for host in rng.choices(kit.hosts, k=rng.randint(*RELATED_TITLES))]
    comments = rng.sample(phrases["comment"], rng.randint(*COMMENTS))
    below = [frame_line(kind, kit.language, rng) for kind in BELOW]
    below[2:2] = [rng.choice(phrases["related"]), *related, *comments]
    return own("\n".join(above) + "\n"), *blocks, own("\n" + "\n".join(below))


def embedded(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    return in_host((block,), kit, rng)


def in_host(blocks: tuple[Block, ...], kit: Kit, rng: Random) -> tuple[Block, ...]:
    """The blocks between two sentences of a text of the copier's own."""
    before, after = host_halves(kit, rng)
    gap = " " if kit.language is Language.ENGLISH else ""
    return own(before + gap), *blocks, own(gap + after)


def host_halves(kit: Kit, rng: Random) -> tuple[str, str]:
    """The opening of a held-out text, cut in two at the end of a sentence in its middle half, if there is one."""
    host = opening(own(rng.choice(kit.hosts).text), MAX_HOST_CHARS)
    ends = [0]
    for part in sentences(host, at_least=1):
        ends.append(ends[-1] + len(part.text))
    size = len(host.text)
    inner = [end for end in ends if size // 4 <= end <= size * 3 // 4] or [size // 2]
    cut = rng.choice(inner)
    return host.text[:cut], host.text[cut:]


def frame_line(kind: str, language: Language, rng: Random) -> str:
    """A line that sites put above or below an article, with dates and counts of its own."""
    return rng.choice(sections(f"frame-{language}.txt")[kind]).format(
        year=rng.randint(2012, 2026),
        month=rng.randint(1, 12),
        day=rng.randint(1, 28),
        hour=rng.randint(6, 23),
        minute=rng.randint(10, 59),
        count=rng.randint(3, 98_000),
        number=rng.randint(10_000, 99_999),
    )


def new_lead(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    """Replaces the first paragraph by unrelated words, under another title."""
    phrases = sections(f"leads-{kit.language}.txt")
    first, *_ = *paragraphs(block, at_least=MIN_PARAGRAPH_CHARS), block
    first = opening(first, round(MAX_LEAD_SHARE * len(block.text)))
    title = rng.choice(phrases["title"]).format(topic=_topic(block.text, kit.language))
    lead = " ".join(rng.sample(phrases["lead"], 2))
    return own(f"{title}\n{lead}\n"), block.cut(len(first.text), len(block.text)).stripped()


def _topic(text: str, language: Language) -> str:
    """The first words of the first line, which usually is the title."""
    line = re.sub(r"[^\w ]+", " ", text.partition("\n")[0]).strip()[: TOPIC_CHARS[language]]
    return line.rpartition(" ")[0] or line
