"""A site of any size, generated on request: lists of articles, each of some hundred characters.

`python -m benchmarks.crawl.generated ARTICLES` serves it.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from crawler.network.loopback_server import Answer, LoopbackServer, serve_until_input_ends, served_by

PER_LIST: Final = 100
SENTENCES: Final = 9
WORDS: Final = 12
"""Words of a sentence, each of two characters."""

_CHARACTERS: Final = (
    "江河湖海山川城镇桥路车船风雨云雪春夏秋冬早晚日月年时人手口目心力工农商学书画诗歌花草树木鸟鱼"
    "田园村庄房屋门窗灯火茶饭米面衣布金石水土新旧高低远近快慢大小多少来去行走看听说写读想问答开关"
)


@contextmanager
def served(articles: int) -> Iterator[str]:
    """Serves the site from a process of its own while the block lasts; yields its address."""
    with served_by(__name__, str(articles)) as addresses:
        yield addresses["generated"]


def page(path: str, *, articles: int) -> str | None:
    """The page at `path` of a site of so many articles, or None if there is none."""
    kind, _, number = path.strip("/").partition("/")
    if kind == "":
        return _list(0, articles)
    if not number.isdigit():
        return None
    if kind == "list" and int(number) * PER_LIST < articles:
        return _list(int(number), articles)
    return _article(int(number)) if kind == "a" and int(number) < articles else None


def _list(number: int, articles: int) -> str:
    start = number * PER_LIST
    items = "".join(
        f"<li><a href='/a/{one}'>{_title(one)}</a></li>" for one in range(start, min(start + PER_LIST, articles))
    )
    onward = f"<a href='/list/{number + 1}'>下一页</a>" if start + PER_LIST < articles else ""
    return f"<!doctype html><html><head><title>列表</title></head><body><ul>{items}</ul>{onward}</body></html>"


def _article(number: int) -> str:
    chance = random.Random(number)
    paragraphs = "".join(f"<p>{_paragraph(chance)}</p>" for _ in range(SENTENCES // 3))
    title = _title(number)
    return (
        f"<!doctype html><html lang='zh'><head><title>{title}</title></head><body><nav><a href='/'>首页</a></nav>"
        f"<article><h1>{title}</h1><p>2026-03-02 08:30 来源：样例</p>{paragraphs}</article></body></html>"
    )


def _paragraph(chance: random.Random) -> str:
    return "".join(f"{_words(chance)}，{_words(chance)}。" for _ in range(3))


def _words(chance: random.Random) -> str:
    return "".join(chance.choices(_CHARACTERS, k=WORDS))


def _title(number: int) -> str:
    return f"第{number}篇{_words(random.Random(-number))[:4]}"


def _answer(path: str, *, articles: int) -> Answer | None:
    found = page(path, articles=articles)
    return None if found is None else Answer(found.encode())


if __name__ == "__main__":
    serve_until_input_ends({"generated": LoopbackServer(answers=partial(_answer, articles=int(sys.argv[1])))})
