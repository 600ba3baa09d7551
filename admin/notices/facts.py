"""The facts of a notice: one value for all forms, built from the store and from what a person filled in. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from admin.cases.copier_summary import Copier, Item
from admin.web.url_converters import as_key
from storage.cases.handout import CopyLine
from storage.records.correspondence.letters import LetterheadRecord
from storage.records.pages import PageRecord
from storage.types import Precision


@dataclass(frozen=True, slots=True)
class Work:
    """An article of ours, and the pages of theirs that the notice names."""

    case_id: int
    title: str
    url: str
    author: str
    published_at: datetime | None
    copies: tuple[CopyLine, ...]
    precision: Precision = Precision.SECOND
    """Of `published_at`."""


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """`owner`: who owns our articles. `copier`: who has the copies. `inputs`: by `admin.notices.inputs.INPUTS`."""

    sender: LetterheadRecord
    owner: str
    copier: str
    registration: str
    works: tuple[Work, ...]
    inputs: Mapping[str, str]

    @property
    def is_agent(self) -> bool:
        """Whether the sender acts for the owner and is not the owner."""
        return self.inputs.get("capacity") == "agent"

    @property
    def addresses(self) -> tuple[str, ...]:
        """Of the pages of theirs, in the order of the works, each once."""
        return tuple(dict.fromkeys(line.url for work in self.works for line in work.copies))

    @property
    def originals(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(work.url for work in self.works))

    @property
    def domains(self) -> tuple[str, ...]:
        hosts = (_host(url) for url in self.addresses)
        return tuple(dict.fromkeys(host for host in hosts if host))


def _host(url: str) -> str:
    """Of a stored address; empty where it has none that can be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def facts_of(
    copier: Copier,
    items: Sequence[Item],
    ours: Mapping[int, PageRecord],
    sender: LetterheadRecord,
    inputs: Mapping[str, str],
) -> NoticeFacts:
    """The facts about those of `items` that the person chose. `ours`: pages of ours by their ids."""
    chosen = chosen_cases(inputs)
    works = tuple(_work(item, ours.get(item.case.our_page_id)) for item in items if item.case.id in chosen)
    return NoticeFacts(sender, copier.our_owner, copier.name, copier.registration, works, inputs)


def chosen_cases(inputs: Mapping[str, str]) -> Collection[int]:
    """Ids of the cases that the person chose; cases confirmed since are not among them."""
    parts = inputs.get("cases", "").split(",")
    return frozenset(number for part in parts if (number := as_key(part)) is not None)


def _work(item: Item, ours: PageRecord | None) -> Work:
    case = item.case
    return Work(
        case_id=case.id,
        title=" ".join(case.our_title.split()),
        url=case.our_url,
        author="" if ours is None else " ".join(ours.author.split()),
        published_at=None if ours is None else ours.declared.at,
        copies=item.lines,
        precision=Precision.SECOND if ours is None else ours.declared.precision,
    )
