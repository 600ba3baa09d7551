"""Jobs that the desk queues for a site."""

import shlex

from flask import flash
from flask_babel import gettext as _

from admin.identity.audit import note
from admin.web.services import current_services
from storage.records.sites import SiteRecord

CRAWL = "crawl"
MATCH = "match"


def crawl_now(site: SiteRecord) -> bool:
    """Queue a crawl of the site and return True; without a worker, show the command that crawls it."""
    enqueue = current_services().enqueue
    if enqueue is None:
        command = f"zhiwen crawl {shlex.quote(site.name)}"
        flash(_("No worker is connected to this desk. Run on the server: %(command)s", command=command), "warning")
        return False
    enqueue(CRAWL, site=site.name)
    note("site.crawl", site.name)
    flash(_("Crawl of %(name)s queued; it starts as soon as a worker is free.", name=site.name))
    return True
