"""Why two texts count as similar in meaning, in the viewer's language.

The sentences say “similar” and never “copied”: what they name is what independent writers seldom share.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from flask_babel import gettext as _
from flask_babel import ngettext

from admin.hits.direction_text import reason_in_words
from admin.hooks.template_filters import number, percent
from admin.web.rendering.invisible_characters import marked
from storage.records.retellings import RetellingRecord
from storage.types import Relation, RetellingKind

SHOWN_PARTICULARS: Final = 12


def retelling_in_words(retelling: RetellingRecord) -> list[str]:
    """The reasons, the strongest first."""
    return list(_reasons(retelling))


def direction_in_words(retelling: RetellingRecord, reasons: Iterable[str] | None = None) -> list[str]:
    """The reasons of the direction, or `reasons` about it. The pages are called the earlier and the later one: neither
    is called a copy.
    """
    names = {retelling.copy.url: _("the later page"), retelling.source.url: _("the earlier page")}
    return [reason_in_words(reason, names) for reason in (retelling.reasons if reasons is None else reasons)]


def _reasons(retelling: RetellingRecord) -> Iterator[str]:
    shared, most = retelling.figures
    if most:
        yield _("%(shared)s of %(most)s figures agree.", shared=number(shared), most=number(most))
    count = len(retelling.sentences)
    yield ngettext(
        "%(shown)s sentence of one text says the same as a sentence of the other.",
        "%(shown)s sentences of one text say the same as sentences of the other.",
        count,
        shown=number(count),
    )
    if retelling.in_order:
        yield ngettext(
            "%(shown)s of them is in the same order in both texts.",
            "%(shown)s of them are in the same order in both texts.",
            retelling.in_order,
            shown=number(retelling.in_order),
        )
    if retelling.particulars:
        yield _named(retelling)
    yield _(
        "Similar sentences are %(copy)s of one text and %(source)s of the other.",
        copy=percent(retelling.copy.share),
        source=percent(retelling.source.share),
    )
    if retelling.kind is RetellingKind.TRANSLATED:
        yield _("The two texts are in different languages.")


def _named(retelling: RetellingRecord) -> str:
    shown = [marked(" ".join(one.split())) for one in retelling.particulars[:SHOWN_PARTICULARS]]
    named = " · ".join(shown)
    more = len(retelling.particulars) - len(shown)
    if more:
        return str(_("Both name: %(named)s, and %(count)s more.", named=named, count=number(more)))
    return str(_("Both name: %(named)s.", named=named))


def relation_in_words(retelling: RetellingRecord) -> str:
    """What is known of a common source; empty where nothing is."""
    if retelling.relation is not Relation.BOTH_FROM_THIRD:
        return ""
    if retelling.third_url is None:
        return str(
            _("Possibly both have it from elsewhere: they look like two versions of one text that is not stored.")
        )
    return str(_("Both seem to have it from a third page, and neither from the other."))
