"""Child process: readers that are not installed with the benchmark, in a Python that has them.

Run as a script by that Python; imports nothing of this project. Reads a request per line of stdin and writes an answer
per line of stdout, both JSON. The first line it writes names the readers and what is missing.

    {"reader": "GNE", "body": base64, "url": "…", "language": "de"}
    {"text": "…", "title": "…", "author": "…", "date": "2020-01-31", "cpu_s": 0.012}
"""

import base64
import importlib
import json
import os
import re
import signal
import sys
import time
import warnings
from functools import cache
from importlib.metadata import version
from typing import Any

PAGE_S = 20
"""Seconds for one page and reader."""
LEAST_SURE = 0.9
"""Probability of a language below which a text has none."""
_CHARSET = re.compile(rb"charset=[\"']?([\w-]{3,20})", re.IGNORECASE)


def newspaper4k(module: Any, markup: str, request: Any) -> dict[str, Any]:
    article = module.Article(request["url"] or "https://page.invalid/", fetch_images=False)
    article.download(input_html=markup)
    article.parse()
    date = article.publish_date
    return _read(article.text, article.title, ", ".join(article.authors), date.isoformat()[:10] if date else "")


def resiliparse(module: Any, markup: str, _request: Any) -> dict[str, Any]:
    return _read(module.extract_plain_text(markup, main_content=True, alt_texts=False))


def magic_html(module: Any, markup: str, request: Any) -> dict[str, Any]:
    found = module.GeneralExtractor().extract(markup, base_url=request["url"])
    lxml_html = importlib.import_module("lxml.html")
    return _read(lxml_html.fromstring(found["html"]).text_content() if found.get("html") else "", found.get("title"))


def gne(module: Any, markup: str, _request: Any) -> dict[str, Any]:
    found = module.GeneralNewsExtractor().extract(markup)
    return _read(found["content"], found["title"], found["author"], found["publish_time"][:10])


def goose3(module: Any, markup: str, _request: Any) -> dict[str, Any]:
    found = module.Goose({"enable_image_fetching": False}).extract(raw_html=markup)
    date = found.publish_datetime_utc
    day = date.isoformat()[:10] if date else (found.publish_date or "")[:10]
    return _read(found.cleaned_text, found.title, ", ".join(found.authors), day)


def boilerpy3(module: Any, markup: str, _request: Any) -> dict[str, Any]:
    return _read(module.ArticleExtractor(raise_on_failure=False).get_content(markup))


READERS = {
    "newspaper4k": ("newspaper", newspaper4k),
    "resiliparse": ("resiliparse.extract.html2text", resiliparse),
    "magic-html": ("magic_html", magic_html),
    "GNE": ("gne", gne),
    "goose3": ("goose3", goose3),
    "boilerpy3": ("boilerpy3.extractors", boilerpy3),
}
LANGUAGE = "py3langid"


def _read(text: Any, title: Any = None, author: Any = None, date: Any = None) -> dict[str, Any]:
    return {"text": text or "", "title": title, "author": author, "date": date}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Output of a library must not mix with the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    modules, missing = _loaded()
    known = {name: version(name) for name in modules if name != LANGUAGE}
    _tell(answers, {"readers": known, "missing": missing, "tells_languages": LANGUAGE in modules})
    signal.signal(signal.SIGALRM, _too_long)
    for line in sys.stdin:
        request = json.loads(line)
        if request["reader"] == LANGUAGE:
            _tell(answers, {"language": _language(modules[LANGUAGE], request["text"])})
        else:
            _tell(answers, _answer(modules, request))


def _loaded() -> tuple[dict[str, Any], dict[str, str]]:
    """Modules by reader, and why the others have none."""
    modules, missing = {}, {}
    for name, module in (*((name, module) for name, (module, _) in READERS.items()), (LANGUAGE, "py3langid.langid")):
        try:
            modules[name] = importlib.import_module(module)
        except Exception as error:  # a broken package is as good as a missing one
            missing[name] = f"{type(error).__name__}: {error}"[:200]
    return modules, missing


def _answer(modules: dict[str, Any], request: Any) -> dict[str, Any]:
    """What a reader makes of a page; nothing if it raises or takes too long."""
    markup = _markup(base64.b64decode(request["body"]))
    before = time.process_time()
    signal.alarm(PAGE_S)
    try:
        found = READERS[request["reader"]][1](modules[request["reader"]], markup, request)
    except Exception as error:  # what readers raise for a page has nothing in common
        found = _read("") | {"failed": type(error).__name__}
    finally:
        signal.alarm(0)
    return {**found, "cpu_s": time.process_time() - before}


def _markup(body: bytes) -> str:
    """The text of a page: UTF-8 if it is, else by its declared charset."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        stated = _CHARSET.search(body[:4_000])
    try:
        return body.decode(stated[1].decode() if stated else "windows-1252", "replace")
    except LookupError:
        return body.decode("windows-1252", "replace")


def _language(module: Any, text: str) -> str:
    found, probability = _identifier(module).classify(text)
    return str(found) if probability >= LEAST_SURE else ""


@cache
def _identifier(module: Any) -> Any:
    return module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)


def _too_long(_number: int, _frame: Any) -> None:
    raise TimeoutError


def _tell(answers: Any, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
