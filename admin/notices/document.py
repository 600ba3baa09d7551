"""A notice as text: its fields in order, the statements, the signature; and the elements that it lacks. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from admin.letters.signing import WORDINGS
from admin.notices.elements import CHINESE, ELEMENTS, TITLES, Element
from admin.notices.facts import NoticeFacts
from admin.notices.values import value_of
from admin.web.rendering.invisible_characters import marked
from storage.records.correspondence.notices import NoticeForm, Signed

_STATEMENTS: Final[Mapping[bool, str]] = {True: "保证声明", False: "Statements"}
_SIGNATURE: Final[Mapping[bool, str]] = {True: "签章（电子签名）", False: "Electronic signature"}
_DATE: Final[Mapping[bool, str]] = {True: "日期", False: "Date"}
_UNSIGNED: Final[Mapping[bool, str]] = {
    True: "（未签署的草稿，不得发出）",
    False: "(a draft that nobody has signed; not to be sent)",
}
_WHO: Final[Mapping[bool, str]] = {True: "代理人", False: "权利人"}


@dataclass(frozen=True, slots=True)
class Field:
    """An element with what it says."""

    element: Element
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Notice:
    form: NoticeForm
    fields: tuple[Field, ...]

    @property
    def missing(self) -> tuple[Field, ...]:
        """Required elements that say nothing."""
        return tuple(field for field in self.fields if field.element.is_required and not field.value)

    @property
    def text(self) -> str:
        """All but the signature: what a second person consents to."""
        is_chinese = self.form in CHINESE
        parts = [TITLES[self.form], *(_part(field, is_chinese) for field in self.fields if field.value)]
        wordings = WORDINGS[self.form]
        said = "\n".join(f"({number}) {wording}" for number, wording in enumerate(wordings, start=1))
        return "\n\n".join([*parts, f"{_STATEMENTS[is_chinese]}{_colon(is_chinese)}\n{said}"])

    def draft(self) -> str:
        """The text with a line that says that nobody has signed it."""
        is_chinese = self.form in CHINESE
        return f"{self.text}\n\n{_SIGNATURE[is_chinese]}{_colon(is_chinese)}{_UNSIGNED[is_chinese]}"

    def signed(self, signed: Signed, day: date) -> str:
        """The text with the signature and its date."""
        is_chinese, colon = self.form in CHINESE, _colon(self.form in CHINESE)
        mark = signed.signer if is_chinese else f"/s/ {signed.signer}"
        return f"{self.text}\n\n{_SIGNATURE[is_chinese]}{colon}{marked(mark)}\n{_DATE[is_chinese]}{colon}{day:%Y-%m-%d}"


def notice_of(form: NoticeForm, facts: NoticeFacts) -> Notice:
    """The notice of this form about these facts. Raises KeyError for the plain letter, which has no elements."""
    wanted = (element for element in ELEMENTS[form] if facts.is_agent or not element.is_of_agent)
    return Notice(form, tuple(_field(element, facts, form) for element in wanted))


def _field(element: Element, facts: NoticeFacts, form: NoticeForm) -> Field:
    return Field(element, element.label.format(who=_WHO[facts.is_agent]), value_of(element.key, facts, form))


def _part(field: Field, is_chinese: bool) -> str:
    between = "\n" if "\n" in field.value else ""
    return f"{field.label}{_colon(is_chinese)}{between}{field.value}"


def _colon(is_chinese: bool) -> str:
    return "：" if is_chinese else ": "
