"""Results of checks as downloads."""

from datetime import datetime

from flask import Response, abort

from admin.check.result_files import check_json, check_table
from admin.check.result_view import CheckView
from admin.exports.downloads import table_answer
from admin.web.downloads import attachment
from storage.intake.check_records import CheckedText


def file_answer(kind: str, text: CheckedText, view: CheckView, checked_at: datetime) -> Response:
    """The result as `json`, `csv` or `xlsx`; ends the request for any other kind."""
    if kind == "json":
        return attachment(check_json(text, view, checked_at), "check.json", "application/json")
    if kind not in ("csv", "xlsx"):
        abort(400)
    return table_answer(check_table(text, view), kind, "check")
