"""Labels of kinds of matches, differences and credits."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.records.differences import DIFFERENCE_WORDS
from storage.types import CaseKind, Credit, MatchKind

KINDS: Final[Mapping[str, object]] = {
    MatchKind.IDENTICAL: _l("Identical"),
    MatchKind.NEAR: _l("Near copy"),
    MatchKind.EXCERPT: _l("Excerpt"),
    MatchKind.EMBEDDED: _l("Embedded"),
    MatchKind.MOSAIC: _l("Mosaic"),
    MatchKind.SCRAMBLED: _l("Scrambled"),
    CaseKind.RETOLD: _l("Retold"),
    CaseKind.TRANSLATED: _l("Translated"),
}


KIND_MEANINGS: Final[Mapping[str, object]] = {
    MatchKind.IDENTICAL: _l("The same text; at most the way characters are written differs."),
    MatchKind.NEAR: _l("The whole article with small changes."),
    MatchKind.EXCERPT: _l("Most of the copy is one part of the source."),
    MatchKind.EMBEDDED: _l("Part of the copy comes from the source; the rest is something else."),
    MatchKind.MOSAIC: _l("The copy is put together from several sources."),
    MatchKind.SCRAMBLED: _l("The source in another order."),
    CaseKind.RETOLD: _l("Similar in meaning, in other words; no wording proves it."),
    CaseKind.TRANSLATED: _l("Similar in meaning, in another language; no wording proves it."),
}


CREDITS: Final[Mapping[str, object]] = {
    Credit.LINKED: _l("Linked"),
    Credit.NAMED: _l("Named"),
    Credit.NONE: _l("No credit"),
}


FIELDS: Final[Mapping[str, object]] = {
    "tab": _l("List"),
    "text": _l("Title or URL"),
    "site": _l("Site"),
    "owner": _l("Owner"),
    "kind": _l("Kind"),
    "relation": _l("Relation"),
    "credit": _l("Credit"),
    "role": _l("Source belongs to"),
    "share": _l("Share at least"),
    "score": _l("Score"),
}
"""Filters of the lists of matches and of retellings."""

HIT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "kind": KINDS,
    "kind_meaning": KIND_MEANINGS,
    "credit": CREDITS,
    "hit_field": FIELDS,
    "difference": {kind: _l(label) for kind, (label, _) in DIFFERENCE_WORDS.items()},
    "difference_meaning": {kind: _l(meaning) for kind, (_, meaning) in DIFFERENCE_WORDS.items()},
}
