"""The sites, each with its last run."""

from typing import Final

from flask import Blueprint, render_template

from admin.session import database
from storage import runs, sites

_RUNS_LOOKED_AT: Final = 1_000
"""A site whose last run is further back shows none; its own list of runs has it."""

blueprint = Blueprint("sites", __name__, url_prefix="/sites")


@blueprint.get("")
def index() -> str:
    # Newest first, so the oldest are put in first and the newest of each site stays.
    recent = reversed(runs.list_runs(database(), limit=_RUNS_LOOKED_AT))
    return render_template(
        "sites.html",
        sites=sites.list_sites(database()),
        last_runs={run.site_name: run for run in recent},
    )
