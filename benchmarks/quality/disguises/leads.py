"""A title and a first paragraph of the copier's own, and the article below as it was."""

import re
from random import Random
from typing import Final

from benchmarks.quality.corpus.model import Language
from benchmarks.quality.corpus.word_lists import sections
from benchmarks.quality.disguises.blocks import Block, own
from benchmarks.quality.disguises.kit import Kit
from benchmarks.quality.disguises.sentences import opening, paragraphs

MIN_PARAGRAPH_CHARS: Final = 80
MAX_LEAD_SHARE: Final = 0.25
"""Where the whole text is one paragraph, only its first sentences are rewritten."""
TOPIC_CHARS: Final = {Language.CHINESE: 12, Language.ENGLISH: 28}


def new_lead(block: Block, kit: Kit, rng: Random) -> tuple[Block, ...]:
    """The first paragraph is told anew in words that have nothing of it, under another title."""
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
