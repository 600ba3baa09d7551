"""What a page of the site itself says about whom to write to. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import unquote

from crawler.contacts.contact_links import ContactLink, contact_links
from crawler.contacts.mail_addresses import WrittenAddress, addresses_in, mail_address
from crawler.contacts.registrations import RegistrationForm, registrations_in
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import text_of
from crawler.extraction.html.parsing import parsed, refusal_of_shape
from crawler.extraction.html.text_blocks import Element
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of, joined_url
from storage.records.correspondence.contacts import Confidence, ContactKind, ContactProposal, ContactRole, ContactSource

MOST_PAGES: Final = 6
"""Contact pages of a site that are read."""
WORDS_BEFORE: Final = 60
"""Characters before an address that say what it is for."""

_ROLES: Final[tuple[tuple[ContactRole, re.Pattern[str]], ...]] = (
    (
        ContactRole.COPYRIGHT,
        re.compile(
            r"(?:版权|版權|侵权|侵權|著作权|著作權|维权|copyright|dmca|infring|take-?down)"
            r"(?:[^:：，,。]{0,6}(?:投诉|投訴|举报|舉報|complaints?|reports?))?",
            re.IGNORECASE,
        ),
    ),
    (ContactRole.ABUSE, re.compile(r"举报|舉報|投诉|投訴|不良信息|abuse|complain|report", re.IGNORECASE)),
    (ContactRole.LEGAL, re.compile(r"法务|法務|法律|律师|legal", re.IGNORECASE)),
    (
        ContactRole.GENERAL,
        re.compile(
            r"客服|商务|商務|合作|广告|廣告|招聘|联系|聯[系繫絡]|投稿|service|business|advert|contact|support|press|jobs",
            re.IGNORECASE,
        ),
    ),
)
"""The last of these words before an address says what it is for."""
_MAILBOXES: Final = {
    **dict.fromkeys(("copyright", "dmca", "banquan", "ip", "ipr", "qinquan", "weiquan"), ContactRole.COPYRIGHT),
    **dict.fromkeys(("abuse", "jubao", "tousu", "report", "complaint", "complaints"), ContactRole.ABUSE),
    **dict.fromkeys(("legal", "law", "fawu", "falv"), ContactRole.LEGAL),
}
_PROTECTED: Final = "data-cfemail"
"""An attribute in which a delivery network hides addresses: hexadecimal, each byte XOR the first one."""
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){4,300}")


@dataclass(frozen=True, slots=True)
class PageContacts:
    """`links`: pages of the site that may say more, likeliest first."""

    proposals: tuple[ContactProposal, ...]
    links: tuple[ContactLink, ...]


def contacts_on_page(
    body: bytes, *, content_type: str, url: str, seen_at: datetime, role: ContactRole | None = None
) -> PageContacts | Refusal:
    """Return the contacts that a page states. `role`: what the link to it said that it is for; None for other pages.

    Addresses in a link or beside words of complaint are stated; others are likely; disguised ones are a guess.
    """
    decoded = decode(body, content_type=content_type)
    if decoded is None:
        return Refusal.UNDECODABLE
    root, _ = parsed(decoded.text)
    refusal = root if isinstance(root, Refusal) else refusal_of_shape(root)
    if isinstance(root, Refusal) or refusal is not None:
        return refusal or Refusal.BROKEN_MARKUP
    reader = _Reader(url, seen_at, role)
    text = text_of(root)
    proposals = [*reader.linked(root), *reader.written(text), *reader.protected(root), *reader.registered(text)]
    return PageContacts(_once(proposals), tuple(contact_links(_links(root, url), host_of(url), limit=MOST_PAGES)))


@dataclass(frozen=True, slots=True)
class _Reader:
    url: str
    seen_at: datetime
    role: ContactRole | None

    def linked(self, root: Element) -> Iterator[ContactProposal]:
        """Addresses in links that open a mail program."""
        for element in root.iter("a"):
            link = (element.get("href") or "").strip()
            if link[:7].lower() == "mailto:":
                address = mail_address(unquote(link[7:].partition("?")[0]))
                if address is not None:
                    yield self._mail(address, _around(element), Confidence.STATED)

    def written(self, text: str) -> Iterator[ContactProposal]:
        for one in addresses_in(text):
            near = text[max(0, one.start - WORDS_BEFORE) : one.start]
            yield self._mail(one.address, near, self._confidence(one, near))

    def protected(self, root: Element) -> Iterator[ContactProposal]:
        for element in root.iter():
            hidden = element.get(_PROTECTED) if isinstance(element.tag, str) else None
            address = None if hidden is None else decoded_address(hidden)
            if address is not None:
                yield self._mail(address, _around(element), Confidence.LIKELY)

    def registered(self, text: str) -> Iterator[ContactProposal]:
        for one in registrations_in(text):
            if one.form is not RegistrationForm.POLICE:
                yield self._proposal(ContactKind.REGISTRATION, ContactRole.GENERAL, one.number, Confidence.STATED)

    def _confidence(self, one: WrittenAddress, near: str) -> Confidence:
        if one.is_hidden:
            return Confidence.GUESS
        says_why = role_of_address(one.address, near) is not ContactRole.GENERAL
        return Confidence.STATED if says_why or self.role is ContactRole.COPYRIGHT else Confidence.LIKELY

    def _mail(self, address: str, near: str, confidence: Confidence) -> ContactProposal:
        role = role_of_address(address, near)
        if self.role is not None and role in (ContactRole.GENERAL, ContactRole.LEGAL):
            role = self.role
        return self._proposal(ContactKind.MAIL, role, address, confidence)

    def _proposal(self, kind: ContactKind, role: ContactRole, value: str, confidence: Confidence) -> ContactProposal:
        return ContactProposal(kind, role, value, ContactSource.SITE, self.url, confidence, self.seen_at)


def role_of_address(address: str, near: str) -> ContactRole:
    """Return what an address is for, by the last words before it, else by its mailbox."""
    last = max(
        ((match.end(), role) for role, pattern in _ROLES for match in pattern.finditer(near[-WORDS_BEFORE:])),
        default=(0, ContactRole.GENERAL),
        key=lambda found: found[0],
    )
    if last[1] is not ContactRole.GENERAL:
        return last[1]
    return _MAILBOXES.get(address.partition("@")[0], ContactRole.GENERAL)


def decoded_address(hidden: str) -> str | None:
    """Return the address in an attribute of the delivery network; None if it holds none."""
    if _HEX.fullmatch(hidden) is None:
        return None
    key, *rest = bytes.fromhex(hidden)
    return mail_address(bytes(byte ^ key for byte in rest).decode("utf-8", "replace"))


def _once(proposals: list[ContactProposal]) -> tuple[ContactProposal, ...]:
    """Each value once, with its highest confidence; of equals, the one whose purpose is known."""
    rank = list(Confidence)
    best: dict[tuple[ContactKind, str], ContactProposal] = {}
    for one in sorted(proposals, key=lambda found: (rank.index(found.confidence), found.role is ContactRole.GENERAL)):
        best.setdefault((one.kind, one.value), one)
    return tuple(best.values())


def _links(root: Element, url: str) -> Iterator[tuple[str, str]]:
    for element in root.iter("a"):
        target = joined_url(url, element.get("href") or "")
        if target is not None:
            yield target, " ".join("".join(element.itertext()).split()) or (element.get("title") or "")


def _around(element: Element) -> str:
    """The words before an element in its parent, and its own."""
    parent = element.getparent()
    before = "" if parent is None else (parent.text or "")
    previous = element.getprevious()
    if previous is not None:
        before += (previous.tail or "")[-WORDS_BEFORE:]
    own = "".join(element.itertext())[:WORDS_BEFORE]
    return f"{before[-WORDS_BEFORE:]} {own}"
