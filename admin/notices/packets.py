"""A notice as files: the document, each field to paste, lists of addresses, reports; packed as ZIP. Pure."""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from admin.evidence.letter_formats import as_text, as_word
from admin.notices.document import Notice
from admin.notices.elements import language_of
from admin.notices.facts import Work
from storage.records.correspondence.notices import NoticeForm

MOST_IN_A_LIST: Final = 1_000
"""Addresses in one file: search engines take no more at once."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The same notice makes the same bytes."""


def address_lists(addresses: Iterable[str]) -> list[bytes]:
    """Plain lists of addresses, one a line, each once, split into files of `MOST_IN_A_LIST`."""
    known = list(dict.fromkeys(map(plain_address, addresses)))
    parts = (known[start : start + MOST_IN_A_LIST] for start in range(0, len(known), MOST_IN_A_LIST))
    return ["".join(f"{address}\n" for address in part).encode() for part in parts]


def plain_address(url: str) -> str:
    """The address on one line: blanks and characters that cannot be printed are percent-encoded."""
    known = url.strip().encode(errors="replace").decode()
    return "".join(one if one.isprintable() and not one.isspace() else quote(one, safe="") for one in known)


@dataclass(frozen=True, slots=True)
class ListedWork:
    """An article of ours, and addresses of pages of theirs."""

    title: str
    url: str
    addresses: tuple[str, ...]


def listed_works(works: Iterable[Work]) -> tuple[ListedWork, ...]:
    return tuple(ListedWork(work.title, work.url, tuple(line.url for line in work.copies)) for work in works)


def works_list(works: Iterable[ListedWork]) -> bytes:
    """The addresses grouped by work: its title and address as comments, then the pages of theirs."""
    return "\n".join(line for work in works for line in _of_work(work)).encode()


def _of_work(work: ListedWork) -> Iterator[str]:
    yield f"# {' '.join(work.title.encode(errors='replace').decode().split()) or '-'}"
    yield f"# {plain_address(work.url)}"
    yield from map(plain_address, work.addresses)
    yield ""


def field_file(notice: Notice) -> bytes:
    """Each field with its label, to paste into a form."""
    parts = (f"【{field.label}】\n{field.value}\n" for field in notice.fields if field.value)
    return as_text("\n".join(parts), language_of(notice.form))


def packet_files(
    form: NoticeForm, body: str, works: Iterable[ListedWork], *, pdf: bytes | None, reports: Mapping[str, bytes]
) -> dict[str, bytes]:
    """All files of a packet by name. `body`: the notice as text; `pdf` None: this machine cannot print."""
    language, known = language_of(form), tuple(works)
    found = {"notice.txt": as_text(body, language), "notice.docx": as_word(body, language)}
    if pdf is not None:
        found["notice.pdf"] = pdf
    lists = {
        "addresses": address_lists(url for work in known for url in work.addresses),
        "originals": address_lists(work.url for work in known),
    }
    found |= {
        f"{name}-{number:03}.txt": content
        for name, contents in lists.items()
        for number, content in enumerate(contents, start=1)
    }
    return found | {"addresses-by-work.txt": works_list(known)} | dict(reports)


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files as ZIP."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _TIME), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
