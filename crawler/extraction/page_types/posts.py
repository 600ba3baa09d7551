"""The posts of a thread: the text of each and who wrote it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from crawler.extraction.html.page_tree import page_tree
from crawler.extraction.html.text_blocks import Block, Element, word_count
from crawler.extraction.main_content import element_names as names
from storage.records.pages import Post

SHORT_OPENING: Final = 600
"""Bytes of UTF-8. A thread that opens with less is a conversation: all of its posts are the text."""
LONG_POST: Final = 2_000
"""Bytes of a post that is a text of its own, as when somebody pastes an article."""
MOST_POSTS: Final = 500
NAME_LENGTH: Final = 60
ELEMENTS_SEARCHED: Final = 400
MOSTLY_LINKS: Final = 0.5

_NAMES_TEXT: Final = """
    author username user-name user_name postauthor post-author post_author poster nickname nick authi by p-author fn
    comment-author creator message-name
"""
_NAMES: Final = frozenset(_NAMES_TEXT.split())
_BODY: Final = re.compile(
    r"""\b(?: post[-_]?(?:message|content|body|text) | message[-_]?(?:content|body|text) | t_f | entry-content
        | comment[-_]?(?:content|body|text) | bbwrapper | answer[-_]?(?:content|body|text) | postcontent | post_body
        | reply[-_]?(?:content|body|text) | cooked | js-post-body )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTE: Final = re.compile(r"(?:^|[\s_-])(?:quote|blockquote|signature|sig\b)", re.IGNORECASE)
_NO_TEXT: Final = names.FURNITURE & ~(names.COMMENTS | names.TEASER) | names.AUTHOR


@dataclass(frozen=True, slots=True)
class Reply:
    author: str
    text: str


def replies_of(elements: Sequence[Element]) -> list[Reply]:
    """The posts in `elements` that hold text, in order."""
    found = (Reply(_author_of(element), _text_of(element)) for element in elements[:MOST_POSTS])
    return [reply for reply in found if reply.text]


def with_posts(opening: Reply, replies: Iterable[Reply], *, is_conversation: bool) -> tuple[str, tuple[Post, ...]]:
    """The text of a thread, and where in it each post begins.

    Replies are part of it in a conversation, or if they are texts of their own.
    """
    kept = [reply for reply in replies if is_conversation or _size(reply.text) >= LONG_POST]
    if not kept:
        return opening.text, ()
    text, posts = opening.text, [Post(opening.author, 0)]
    for reply in kept:
        posts.append(Post(reply.author, len(text) + 1))
        text = f"{text}\n{reply.text}"
    return text, tuple(posts)


def is_short(text: str) -> bool:
    """Whether a thread that opens with `text` is a conversation."""
    return _size(text) < SHORT_OPENING


def _author_of(post: Element) -> str:
    stated = post.get("data-author")
    if stated and stated.strip():
        return " ".join(stated.split())[:NAME_LENGTH]
    for element in islice(post.iter(), ELEMENTS_SEARCHED):
        if isinstance(element.tag, str) and _is_name(element):
            name = " ".join("".join(map(str, element.itertext())).split())
            if word_count(name) > 0 and len(name) <= NAME_LENGTH:
                return name
    return ""


def _is_name(element: Element) -> bool:
    return (
        "author" in element.get("rel", "").lower().split()
        or element.get("itemprop") in ("author", "creator")
        or not _NAMES.isdisjoint(element.get("class", "").lower().split())
    )


def _text_of(post: Element) -> str:
    body = next(_bodies(post), post)
    tree = page_tree(body)
    flags: list[int] = []
    for element, parent in zip(tree.elements, tree.parents, strict=True):
        own = 0 if parent < 0 else _flags_of(element)
        flags.append(own | (flags[parent] if parent >= 0 else 0))
    kept = [
        block.text
        for owner, block in zip(tree.owners, tree.blocks, strict=True)
        if not flags[owner] and _is_said(block)
    ]
    return "\n".join(kept)


def _bodies(post: Element) -> Iterator[Element]:
    """Elements of a post that are named for its text."""
    for element in islice(post.iter(), ELEMENTS_SEARCHED):
        if isinstance(element.tag, str) and (
            element.get("itemprop") in ("text", "articleBody")
            or _BODY.search(f"{element.get('class', '')} {element.get('id', '')}"[:300])
        ):
            yield element


def _flags_of(element: Element) -> int:
    """What holds no words of the author: quotations of other posts, signatures, buttons."""
    named = f"{element.get('class', '')} {element.get('id', '')}"[:300]
    return 1 if names.flags_of(element) & _NO_TEXT or _QUOTE.search(named) else 0


def _is_said(block: Block) -> bool:
    return block.words > 0 and block.linked_share <= MOSTLY_LINKS


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
