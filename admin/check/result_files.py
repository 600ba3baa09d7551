"""The result of a check as a file: all of it as JSON, or its sources as a table."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from flask_babel import gettext as _

from admin.check.labels import verdict_word
from admin.check.result_view import CheckView, SourceView
from admin.check.retold_view import RetoldView
from admin.exports.writers import Cell, Table
from storage.intake.check_records import CheckedRetelling, CheckedSource, CheckedText, ComparedScope


def check_json(checked: CheckedText, view: CheckView, checked_at: datetime) -> str:
    """The result as JSON: codes instead of labels; offsets in code points of `text` and of the stored texts. `counted`:
    the share without what the reader left out.
    """
    shape = {
        "checked_at": checked_at.isoformat(timespec="seconds"),
        "title": checked.title,
        "author": checked.author,
        "url": checked.url,
        "chars": view.result.chars,
        "verdict": view.verdict,
        "share": round(view.everything, 4),
        "counted": {
            "share": round(view.share, 4),
            "without": sorted(view.exclusions.sources),
            "quotations": not view.exclusions.quotations,
            "shorter_than": view.exclusions.shorter_than,
        },
        "compared_with": _scope_json(view.result.scope),
        "left_out": view.result.cut,
        "sources": [_source_json(source) for source in view.sources],
        "similar": [_similar_json(source) for source in view.retold],
        "text": checked.body,
    }
    return json.dumps(shape, ensure_ascii=False, indent=1, default=datetime.isoformat).encode(errors="replace").decode()


def _scope_json(scope: ComparedScope) -> dict[str, Any]:
    """As `compared_with` of `zhiwen check --json`."""
    waiting = {"waiting": scope.waiting} if scope.waiting else {}
    estimated = {"texts_estimated": True} if scope.is_estimate else {}
    return {"texts": scope.texts, "sites": scope.sites, "newest": scope.newest, **waiting, **estimated}


def _common_json(number: int, found: CheckedSource | CheckedRetelling) -> dict[str, Any]:
    page = found.pages[0]
    return {
        "number": number,
        "url": page.url,
        "pages": [asdict(one) for one in found.pages],
        "other_pages": found.other_pages,
        "title": page.title,
        "site": page.site or found.party.host,
        "published_at": page.published_at,
        "first_seen_at": page.first_seen_at,
        "kind": found.kind.value,
        "share": round(found.share, 4),
        "own_share": round(found.own_share, 4),
        "source_share": round(found.source_share, 4),
        "longest": found.longest,
        "score": round(found.score, 4),
        "credit": found.credit.value,
        "relation": found.relation.value,
        "third": found.third,
    }


def _source_json(source: SourceView) -> dict[str, Any]:
    passages = [asdict(passage) for passage in source.found.passages]
    return {**_common_json(source.number, source.found), "passages": passages}


def _similar_json(source: RetoldView) -> dict[str, Any]:
    """A text that is similar in meaning; `longest` is that of a sentence."""
    found = source.found
    shared, most = found.figures
    return {
        **_common_json(source.number, found),
        "proof": list(found.said),
        "in_order": found.in_order,
        "figures": {"shared": shared, "of": most},
        "particulars": found.particulars,
        "sentences": [asdict(pair) for pair in found.sentences],
    }


def check_table(checked: CheckedText, view: CheckView) -> Table:
    """One row for each source."""
    about = {
        _("Title"): checked.title,
        _("Verdict"): verdict_word(view.verdict),
        _("Share found elsewhere"): f"{view.everything:.1%}",
        _("Compared with"): scope_in_words(view.result.scope),
    }
    if view.exclusions.is_any:
        about[_("Share after exclusions")] = f"{view.share:.1%}"
    keys = ("number", "title", "url", "site", "published_at", "kind", "share", "own_share", "source_share", "longest")
    words = (
        *(_("Number"), _("Title"), _("Web address"), _("Site"), _("Published"), _("Kind"), _("Share of the text")),
        *(_("Of this, from this source only"), _("Share of the source"), _("Longest passage")),
    )
    shapes = [*map(_source_json, view.sources), *map(_similar_json, view.retold)]
    rows = ([cast("Cell", shape[key]) for key in keys] for shape in shapes)
    return Table(_("Sources"), keys, words, rows, about, len(shapes))


def scope_in_words(scope: ComparedScope) -> str:
    """The texts and sites that a text was compared with."""
    if scope.is_estimate:
        return str(_("about %(texts)s texts of %(sites)s sites", texts=scope.texts, sites=scope.sites))
    return str(_("%(texts)s texts of %(sites)s sites", texts=scope.texts, sites=scope.sites))
