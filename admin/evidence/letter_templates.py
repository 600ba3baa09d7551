"""The takedown letter: its own wording in each language, the placeholders, and how they are filled (pure)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.cases.copier_summary import Copier, Item
from admin.hooks.template_filters import number, percent
from admin.identity.dates import when
from admin.web.labels import gap, label
from admin.web.rendering.invisible_characters import marked
from storage.cases.handout import CopyLine
from storage.records.correspondence.letters import LetterheadRecord, LetterKind
from storage.types import Precision

NAME: Final = "takedown"
NOBODY: Final = LetterheadRecord()

PLACEHOLDERS: Final[Mapping[str, object]] = {
    "copier": _l("name of the copier"),
    "address": _l("complaint address of the copier"),
    "owner": _l("owner of our articles"),
    "count": _l("number of our articles copied"),
    "pages": _l("number of their pages"),
    "list": _l("list of articles and pages"),
    "date": _l("today’s date"),
    "deadline": _l("deadline for an answer"),
    "evidence": _l("statement on captures (filled in by fact, empty if none)"),
    "head": _l("the head of the chain of evidence"),
    "organisation": _l("our name in letters"),
    "contact": _l("contact person"),
    "telephone": _l("telephone"),
    "mail": _l("mail address for answers"),
    "postal": _l("postal address"),
    "signatory": _l("signatory"),
}
"""Placeholders of a letter, in braces."""

_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_]{1,40})\}")

_OLD_CLAIMS: Final = (
    "我方已对上述页面取证并妥善保存（证据链末端：{head}），可供核验。",
    "The pages were captured, and the captures are kept (head of the chain of evidence: {head}); they can be verified.",
)
"""Claims of earlier wordings of ours, made whether true or not; letters that users changed still contain them."""

_CLAIM: Final = re.compile(
    r"\{head\}|取证|存证|固证|证据链|证据保全|公证|截图|截屏"
    r"|captur|screenshot|chain of evidence|notari[sz]"
    r"|evidence (?:is|was|has been|have been) (?:kept|secured|preserved)",
    re.IGNORECASE,
)
"""Words by which a sentence claims that pages were captured."""

_SENTENCE: Final = re.compile(r"(?<=[。！？!?；;])|(?<=\.)(?=\s)|(?<=\n)(?=[ \t]*\n)")
"""Boundaries of sentences and paragraphs."""


def own_wording(language: str) -> str:
    """The wording that comes with the program; `language` is one of `admin.identity.language.LANGUAGES`."""
    return (Path(__file__).parents[1] / f"templates/evidence/takedown_letter.{language}.txt").read_text("utf-8")


def follow_up_wording(kind: LetterKind, language: str) -> str:
    """The wording of a reminder or a second letter, which comes with the program."""
    return (Path(__file__).parents[1] / f"templates/evidence/{kind}_letter.{language}.txt").read_text("utf-8")


def current_wording(body: str) -> str:
    """A stored wording, with {evidence} in place of our own earlier claims."""
    for claim in _OLD_CLAIMS:
        body = body.replace(claim, "{evidence}")
    return body


def claims(wording: str) -> list[str]:
    """Sentences of `wording` that claim captures by themselves, without {evidence}."""
    return [" ".join(sentence.split()) for sentence in _SENTENCE.split(wording) if _CLAIM.search(sentence)]


def has_claim(words: str) -> bool:
    """Whether the words claim that pages were captured."""
    return _CLAIM.search(words) is not None


def without_claims(wording: str) -> str:
    return "".join(sentence for sentence in _SENTENCE.split(wording) if not _CLAIM.search(sentence))


def unknown_placeholders(wording: str) -> list[str]:
    """Names in braces that are no placeholders."""
    return sorted(set(_PLACEHOLDER.findall(wording)) - set(PLACEHOLDERS))


def filled(
    wording: str,
    copier: Copier,
    items: Sequence[Item],
    *,
    today: date,
    deadline: date,
    head: str | None,
    sender: LetterheadRecord = NOBODY,
    earlier: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The letter about `items`.

    Inserted values are not expanded again: braces in a crawled title stay. A sentence that claims captures by itself is
    kept only if all pages were captured. `earlier`: number, date and term of the letter that it follows.
    """
    lines = [line for item in items for line in item.lines]
    if not all(line.evidence.is_kept for line in lines):
        wording = without_claims(wording)
    known = {
        "copier": marked(copier.name),
        "address": marked(copier.complaint_address),
        "owner": marked(copier.our_owner),
        "count": str(len(items)),
        "pages": str(len(lines)),
        "list": listed(items),
        "date": f"{today:%Y-%m-%d}",
        "deadline": f"{deadline:%Y-%m-%d}",
        "evidence": evidence_sentence(lines, head),
        "head": head or "—",
        "organisation": marked(sender.organisation or copier.our_owner),
        "contact": marked(sender.contact),
        "telephone": marked(sender.telephone),
        "mail": marked(sender.mail),
        "postal": marked(sender.address),
        "signatory": marked(sender.signatory),
        **earlier,
    }
    text = _PLACEHOLDER.sub(lambda found: known.get(found[1], found[0]), wording)
    # A copier without a known address leaves no gap.
    return re.sub(r"\n{3,}", "\n\n", text)


def evidence_sentence(lines: Sequence[CopyLine], head: str | None) -> str:
    """The sentence that all pages, or the marked ones, were captured; empty where none was."""
    kept = sum(line.evidence.is_kept for line in lines)
    if not kept or head is None:
        return ""
    if kept == len(lines):
        return str(
            _(
                "The pages were captured, and the captures are kept (head of the chain of evidence: %(head)s); "
                "they can be verified.",
                head=head,
            )
        )
    return str(
        _(
            "Of these pages, those marked “captured” (%(count)s) were captured, and the captures are kept "
            "(head of the chain of evidence: %(head)s); they can be verified.",
            count=kept,
            head=head,
        )
    )


def listed(items: Iterable[Item]) -> str:
    return "\n\n".join(_entry(place, item) for place, item in enumerate(items, start=1))


def _entry(place: int, item: Item) -> str:
    case = item.case
    title = marked(" ".join(case.our_title.split())) or _("No title")
    ours, theirs = _("Ours:"), _("Theirs:")
    lines = [f"{place}. {title}", f"   {ours}{gap()}{marked(case.our_url)}"]
    for line in item.lines:
        said = _("%(chars)s characters, %(share)s of ours", chars=number(line.chars), share=percent(line.our_share))
        more = [said, label(line.credit, "credit"), *(label(term, "term") for term in line.broken_terms)]
        lines.append(f"   {theirs}{gap()}{marked(line.url)}")
        if line.evidence.at is not None:
            more.append(_("captured %(day)s", day=when(line.evidence.at, Precision.DAY)))
        lines.append(f"      {' · '.join(map(str, more))}")
    return "\n".join(lines)
