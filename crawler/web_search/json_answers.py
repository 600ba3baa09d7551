"""Reads the JSON answers of search services: bytes in, results out. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import web_url
from crawler.web_search.service import MOST_RESULTS, MOST_SNIPPET, MOST_TITLE, SearchAnswer, SearchResult

LONGEST_URL: Final = 2_000
_NOT_READABLE: Final = (ValueError, RecursionError)  # the latter: nested too deep


class NoJson(Exception):
    """The bytes are no JSON, or have nothing at the place where results are expected."""


@dataclass(frozen=True, slots=True)
class ResultFields:
    """Where results are in an answer: `results` the path of the list, the others paths inside one result.

    Names with dots between them; a number chooses from a list. An empty path is the value itself.
    """

    results: str
    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"


def parsed_json(body: bytes) -> Any:
    """Raises NoJson."""
    try:
        return json.loads(body)
    except _NOT_READABLE as error:
        raise NoJson("no JSON") from error


def results_in(answer: Any, fields: ResultFields, service: str) -> SearchAnswer:
    """Return the results of a parsed answer, in their order. Raises NoJson if there is no list of results."""
    found = value_at(answer, fields.results)
    if not isinstance(found, list):
        raise NoJson(f"no list at “{fields.results}”")
    texts = (
        (text_at(one, fields.url), text_at(one, fields.title), text_at(one, fields.snippet))
        for one in found[:MOST_RESULTS]
    )
    return answer_of(list(texts), service, beyond=max(0, len(found) - MOST_RESULTS))


def answer_of(found: Sequence[tuple[str, str, str]], service: str, *, beyond: int = 0) -> SearchAnswer:
    """Return addresses with title and snippet as results; what has no address on the web is counted."""
    read = [result for url, title, snippet in found if (result := _result(url, title, snippet, service)) is not None]
    return SearchAnswer(tuple(read), unusable=len(found) - len(read), beyond=beyond)


def value_at(value: Any, path: str) -> Any:
    """Return what stands at a path like `web.results.0.url`; None if nothing does."""
    for name in path.split(".") if path else ():
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(value):
            value = value[int(name[:9])]
        else:
            return None
    return value


def text_at(value: Any, path: str) -> str:
    """Return the text at a path; empty if there is none."""
    found = value_at(value, path)
    return found if isinstance(found, str) else ""


def _result(url: str, title: str, snippet: str, service: str) -> SearchResult | None:
    if not url or len(url) > LONGEST_URL:
        return None
    try:
        url.encode()
        address = web_url(url)
    except (UnusableUrl, ValueError):  # the latter: a lone surrogate
        return None
    return SearchResult(address, _plain(title, MOST_TITLE), _plain(snippet, MOST_SNIPPET), service)


def _plain(text: str, most: int) -> str:
    """One line without markup marks and control characters. Services set the words they found in bold."""
    words = unescape(text[: 2 * most])
    for mark in ("<strong>", "</strong>", "<b>", "</b>", "<em>", "</em>"):
        words = words.replace(mark, "")
    return " ".join("".join(char if char.isprintable() else " " for char in words).split())[:most]
