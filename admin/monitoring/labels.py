"""Labels of monitored measures, jobs and durations."""

from collections.abc import Mapping
from typing import Final

from flask_babel import format_decimal
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from storage.jobs import queue
from storage.records.monitoring import Measure

MINUTE_S: Final = 60
HOUR_S: Final = 3_600
DAY_S: Final = 86_400

SHARES: Final = frozenset({Measure.EMPTY, Measure.FAILED, Measure.REWRITTEN})

WATCH_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "measure": {
        Measure.ARTICLES: _l("New articles a day"),
        Measure.WEEK: _l("New articles a week"),
        Measure.EMPTY: _l("Pages without an article"),
        Measure.FAILED: _l("Failed requests"),
        Measure.LENGTH: _l("Mean length of new articles"),
        Measure.REWRITTEN: _l("Known pages changed or gone in one crawl"),
    },
    "measure_advice": {
        Measure.ARTICLES: _l(
            "Check whether the site still publishes, and whether its lists and feeds can still be read."
        ),
        Measure.WEEK: _l("Check whether the site still publishes, and whether its lists and feeds can still be read."),
        Measure.EMPTY: _l("The site was probably redesigned: try its extraction rule on a new article."),
        Measure.FAILED: _l("The site is down or blocks us. Open it yourself; if it works, slow down crawling."),
        Measure.LENGTH: _l("Teasers, a paywall, or menus taken for articles: check its newest pages."),
        Measure.REWRITTEN: _l("Its alerts are on hold: check the crawl, then send or drop them."),
    },
    "job": {
        queue.CRAWL: _l("Crawl"),
        queue.MATCH: _l("Compare"),
        queue.CAPTURE: _l("Capture evidence"),
        queue.RECHECK: _l("Recheck copies"),
        queue.LEARN: _l("Learn boilerplate"),
        queue.PRUNE: _l("Clean up"),
        queue.STAMP: _l("Time-stamp evidence"),
        queue.WITNESS: _l("Have evidence files witnessed"),
        queue.WATCH: _l("Self-check"),
        "look": _l("Capture removed and returned pages"),
        "alert": _l("Send alerts"),
        "letter": _l("Send letters"),
        "bring-in": _l("Import a file"),
        "check": _l("Check files"),
        "encode": _l("Encode by meaning"),
        "discover": _l("Search the web for copies"),
        "contacts": _l("Search for contacts"),
        "backup": _l("Back up"),
    },
    "job_state": {
        "waiting": _l("in the queue"),
        "running": _l("running"),
        "set aside": _l("set aside"),
    },
}


def measured(value: float, measure: Measure) -> str:
    """A value of a measure, formatted with its unit."""
    return f"{value * 100:.0f}%" if measure in SHARES else str(format_decimal(round(value)))


def span(seconds: float | None) -> str:
    """A duration in the largest unit that gives at least 1; a dash for None."""
    if seconds is None:
        return "—"
    if seconds >= DAY_S:
        return str(_("%(days)s days", days=round(seconds / DAY_S, 1)))
    if seconds >= HOUR_S:
        return str(_("%(hours)s hours", hours=round(seconds / HOUR_S, 1)))
    if seconds >= MINUTE_S:
        return str(_("%(minutes)s min", minutes=round(seconds / MINUTE_S, 1)))
    return str(_("%(seconds)s s", seconds=round(seconds)))
