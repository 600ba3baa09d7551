"""The content of alerts about possible retellings. They say what is similar, and call nothing a copy."""

from collections.abc import Sequence
from typing import Any, Final

from flask_babel import gettext as _

from admin.alerts.cards import Fact
from admin.alerts.channel_kind import ChannelKind
from admin.alerts.plain_words import inert
from admin.hits.retelling_text import relation_in_words
from admin.hooks.template_filters import number, percent
from admin.web.labels import label
from storage.records.matches import HitSide
from storage.records.retellings import RetellingRecord
from storage.types import SiteRole

MOST_LISTED: Final = 50


def one_retelling(found: RetellingRecord, desk_url: str) -> tuple[str, str, str]:
    """Subject, text and link of a message about one retelling."""
    ours, theirs = _sides(found)
    said = {"title": _title(ours), "who": _who(theirs)}
    subject = _("Similar to “%(title)s”: a text at %(who)s", **said)
    link = f"{desk_url}/retellings/{found.id}"
    lines = (
        str(Fact(_("Article"), said["title"])),
        _("Similar: %(title)s, at %(who)s", title=_title(theirs), who=said["who"]),
        str(Fact(_("Kind"), str(label(found.kind, "kind")))),
        _how_similar(found, ours),
        relation_in_words(found),
        _("Similar does not mean copied. Read both."),
    )
    return str(subject), "\n".join((*filter(None, lines), "", link)), link


def many_retellings(found: Sequence[RetellingRecord], kind: ChannelKind, desk_url: str) -> tuple[str, str, str]:
    """Subject, text and link of a message about several, highest score first, as long as the channel takes."""
    subject, link = str(_("Possible retellings: %(count)s", count=number(len(found)))), f"{desk_url}/retellings"
    ordered = sorted(found, key=lambda one: (-one.score, one.id))
    for listed in range(min(len(ordered), MOST_LISTED), 0, -1):
        text = _list(ordered, listed, subject, link)
        if kind.digest_bytes is None or len(text.encode()) <= kind.digest_bytes:
            return subject, text, link
    return subject, f"{subject}\n\n{link}", link


def retelling_data(found: RetellingRecord) -> dict[str, Any]:
    """A retelling for programs."""
    ours, theirs = _sides(found)
    return {
        "id": found.id,
        "kind": found.kind.value,
        "score": round(found.score, 4),
        "relation": found.relation.value,
        "our_url": ours.url,
        "our_title": ours.title,
        "their_url": theirs.url,
        "their_title": theirs.title,
        "share_of_ours": round(ours.share, 4),
        "share_of_theirs": round(theirs.share, 4),
        "figures": {"shared": found.figures[0], "of": found.figures[1]},
    }


def _list(ordered: Sequence[RetellingRecord], listed: int, subject: str, link: str) -> str:
    lines = [subject, str(_("Similar does not mean copied. Read both.")), ""]
    for found in ordered[:listed]:
        ours, theirs = _sides(found)
        about = " · ".join((_who(theirs), str(label(found.kind, "kind")), _how_similar(found, ours)))
        lines.append(f"· {_title(ours, 40)}\n  {about}")
    if len(ordered) > listed:
        lines += ["", str(_("More in the list: %(count)s.", count=number(len(ordered) - listed)))]
    return "\n".join((*lines, "", link))


def _sides(found: RetellingRecord) -> tuple[HitSide, HitSide]:
    """Ours and theirs; of two of ours the source is ours."""
    if found.source.role is SiteRole.ORIGINAL or found.copy.role is not SiteRole.ORIGINAL:
        return found.source, found.copy
    return found.copy, found.source


def _how_similar(found: RetellingRecord, ours: HitSide) -> str:
    share = percent(ours.share)
    shared, most = found.figures
    if not most:
        return str(_("%(share)s of our sentences are similar", share=share))
    return str(
        _(
            "%(share)s of our sentences are similar, %(shared)s of %(most)s figures agree",
            share=share,
            shared=number(shared),
            most=number(most),
        )
    )


def _title(side: HitSide, limit: int = 60) -> str:
    return inert(side.title if side.title.strip() else side.url, limit)


def _who(side: HitSide) -> str:
    return inert(side.owner_name or side.site_name or side.host, 30)
