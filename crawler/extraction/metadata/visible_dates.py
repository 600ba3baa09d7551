"""Short lines of a page that show a date, the likeliest first. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from crawler.extraction.metadata.marked_dates import NOW

LONGEST_BARE_DATE: Final = 30
"""“November 2, 2026”, “昨天 21:05”: a line with not much else."""

_BARE: Final = re.compile(
    r"""(?:19|20)\d\d | ^\W*[今昨前][天日]\s{0,3}\d
      | \d\s?(?:秒|分钟|分鐘|小时|小時|天|周|週|个月) | \d\s(?:minute|hour|day|week|month)s?\sago""",
    re.VERBOSE,
)
_PUBLISHED_WORDS: Final = re.compile(
    r"发布|發布|发表|發表|刊登|日期|时间|時間|来源|來源|作者|更新于|编辑|posted|published", re.I
)
_CHANGED: Final = re.compile(
    r"\W{0,3}(?:letzte\sänderung|zuletzt|last\s(?:change|modified|update)|最后(?:修改|更新))", re.I
)
_MEMBER_SINCE: Final = re.compile(
    r"\W{0,3}(?:registriert|mitglied\sseit|dabei\sseit|angemeldet|joined|member\ssince|registered|inscrit|miembro\sdesde|注册)",
    re.I,
)


def visible_lines(short: Sequence[str]) -> Iterator[str]:
    """Short lines that hold a date; lines that name the kind of date come first, those of a last change last. Since
    when somebody is a member of the site is none, nor is the time of the visit.
    """
    meant = (line for line in short if _MEMBER_SINCE.match(line) is None and NOW.match(line) is None)
    short = sorted(meant, key=lambda line: _CHANGED.match(line) is not None)
    yield from (line for line in short if _PUBLISHED_WORDS.search(line))
    yield from (line for line in short if sum(map(str.isdigit, line)) * 2 >= sum(map(str.isalnum, line)))
    yield from (line for line in short if len(line) <= LONGEST_BARE_DATE and _BARE.search(line))


def only_one(texts: Iterable[str]) -> Iterator[str]:
    """The text that is said, if no other one is: several are dates of several articles."""
    found = set(texts)
    yield from found if len(found) == 1 else ()
