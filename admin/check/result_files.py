"""The result of a check as a file: all of it as JSON, or its sources as a table."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from flask_babel import gettext as _

from admin.check.input import CheckInput
from admin.check.labels import verdict_word
from admin.check.result_view import CheckView, SourceView
from admin.check.retold_view import RetoldView
from admin.exports.writers import Cell, Table
from matcher.explanation.json_shapes import compared_with_json, pages_json
from matcher.explanation.retelling_shapes import proof_json

if TYPE_CHECKING:
    from matcher.comparison.check import ComparedWith


def check_json(checked: CheckInput, view: CheckView) -> str:
    """The result as JSON: codes instead of labels; offsets in code points of `text` and of the stored texts."""
    shape = {
        "checked_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "title": checked.title,
        "author": checked.author,
        "url": checked.url,
        "chars": view.result.chars,
        "verdict": view.verdict,
        "share": round(view.share, 4),
        "compared_with": compared_with_json(view.result.compared_with),
        "left_out": view.result.cut,
        "sources": [_source_json(source) for source in view.sources],
        "similar": [_similar_json(source) for source in view.retold],
        "text": checked.text,
    }
    return json.dumps(shape, ensure_ascii=False, indent=1, default=datetime.isoformat).encode(errors="replace").decode()


def _source_json(source: SourceView) -> dict[str, object]:
    found, page = source.found, source.page
    return {
        "number": source.number,
        "url": page.url,
        "pages": pages_json(found),
        "other_pages": found.other_pages,
        "title": page.title,
        "site": page.site_name or page.host,
        "published_at": page.declared.at,
        "first_seen_at": page.first_seen_at,
        "kind": found.kind.value,
        "share": round(found.judgement.left_share, 4),
        "own_share": round(found.own_share, 4),
        "source_share": round(found.judgement.right_share, 4),
        "longest": found.judgement.longest,
        "score": round(found.judgement.score, 4),
        "credit": found.credit.credit.value,
        "relation": source.relation.relation.value,
        "third": source.relation.third_url,
        "passages": [asdict(passage) for passage in found.judgement.passages],
    }


def _similar_json(source: RetoldView) -> dict[str, object]:
    """A text that is similar in meaning; `longest` is that of a sentence."""
    found, page = source.found, source.page
    return {
        "number": source.number,
        "url": page.url,
        "pages": pages_json(found),
        "other_pages": found.other_pages,
        "title": page.title,
        "site": page.site_name or page.host,
        "published_at": page.declared.at,
        "first_seen_at": page.first_seen_at,
        "kind": found.kind.value,
        "share": round(found.retelling.left_share, 4),
        "own_share": round(found.own_share, 4),
        "source_share": round(found.retelling.right_share, 4),
        "longest": found.longest,
        "score": round(found.score, 4),
        "credit": found.credit.credit.value,
        "relation": found.relation.value,
        "third": None if found.third is None else found.third.url,
        **proof_json(found),
        "particulars": found.retelling.particulars,
        "sentences": [asdict(pair) for pair in found.sentences],
    }


def check_table(checked: CheckInput, view: CheckView) -> Table:
    """One row for each source."""
    against = view.result.compared_with
    about = {
        _("Title"): checked.title,
        _("Verdict"): verdict_word(view.verdict),
        _("Share that stands elsewhere"): f"{view.share:.1%}",
        _("Compared with"): _in_words(against),
    }
    keys = ("number", "title", "url", "site", "published_at", "kind", "share", "own_share", "source_share", "longest")
    words = (
        *(_("Number"), _("Title"), _("Web address"), _("Site"), _("Published"), _("Kind"), _("Share of the text")),
        *(_("Of this, from no better source"), _("Share of the source"), _("Longest passage")),
    )
    shapes = [*map(_source_json, view.sources), *map(_similar_json, view.retold)]
    rows = ([cast("Cell", shape[key]) for key in keys] for shape in shapes)
    return Table(_("Sources"), keys, words, rows, about, len(shapes))


def _in_words(against: "ComparedWith") -> str:
    if against.is_estimate:
        return str(_("about %(texts)s texts of %(sites)s sites", texts=against.texts, sites=against.sites))
    return str(_("%(texts)s texts of %(sites)s sites", texts=against.texts, sites=against.sites))
