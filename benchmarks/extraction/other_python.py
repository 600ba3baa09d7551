"""Readers in another Python, whose packages must not come into ours: one child process for all."""

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.extraction import other_readers
from benchmarks.extraction.web_pages import WebPage
from benchmarks.extraction.web_readers import Read


class OtherPythonFailed(Exception):
    """The program is no Python, or ended before its answer."""


@dataclass(frozen=True, slots=True)
class OtherPython:
    """`readers`: versions by name. `missing`: why the others cannot be used. `tells_languages`: see `language_of`."""

    _process: "subprocess.Popen[str]"
    readers: Mapping[str, str]
    missing: Mapping[str, str]
    tells_languages: bool

    def read(self, name: str, page: WebPage, body: bytes) -> tuple[Read, float]:
        """What the reader `name` makes of a page, and the seconds of processor time it took."""
        request = {"reader": name, "body": base64.b64encode(body).decode(), "url": page.url, "language": page.language}
        answer = self._ask(request)
        found = Read(answer["text"], answer["title"], answer["author"], answer["date"])
        return found, float(answer["cpu_s"])

    def with_languages(self, pages: Sequence[WebPage]) -> list[WebPage]:
        """The pages with the language of their labelled text, where it is sure and none is labelled."""
        return [page if page.language else replace(page, language=self._language(page)) for page in pages]

    def _language(self, page: WebPage) -> str:
        asked = {"reader": other_readers.LANGUAGE, "text": f"{page.title}\n{page.labelled_text}"}
        return str(self._ask(asked)["language"]) if self.tells_languages and page.labelled_text else ""

    def _ask(self, request: Mapping[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise OtherPythonFailed(f"the other Python ended at {request['reader']} on {request.get('url')}")
        return json.loads(answer)


SCRIPT: Final = Path(other_readers.__file__)


@contextmanager
def other_python(program: Path) -> Iterator[OtherPython]:
    """A child process of the Python at `program`, until the end of the block. Raises OtherPythonFailed."""
    try:
        process = subprocess.Popen(  # noqa: S603  # a program that the person at the terminal names
            [program, "-I", SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
    except OSError as error:
        raise OtherPythonFailed(f"{program}: {error.strerror}") from error
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        if not first:
            raise OtherPythonFailed(f"{program} is no Python of 3.9 or later")
        told = json.loads(first)
        yield OtherPython(process, told["readers"], told["missing"], bool(told["tells_languages"]))
    finally:
        process.kill()
        process.communicate()
