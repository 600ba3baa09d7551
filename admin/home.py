"""The first page: how much there is, what is new, what to do next."""

from typing import Final

from flask import Blueprint, render_template

from admin.session import database
from storage import matches, reports

SHOWN_HITS: Final = 8

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def index() -> str:
    return render_template(
        "home.html",
        summary=reports.summary(database()),
        hits=matches.list_hits(database(), limit=SHOWN_HITS),
    )
