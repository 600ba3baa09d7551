"""The page after a login that shows what was decided when the login had expired, to be done now or not."""

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.intended_act import opened
from admin.identity.permissions import needs
from admin.web.rendering.safe_links import local_path
from storage.types import AccountRole

blueprint = Blueprint("intended", __name__)


@blueprint.get("/intended")
@needs(AccountRole.REVIEWER)
def form() -> str | AnyResponse:
    act = opened(request.args.get("act", ""))
    if act is None:
        abort(404)
    path = local_path(act.path, otherwise="")
    if not path:
        return redirect(act.back)
    case = path.removeprefix("/cases/").partition("/")[0]
    return render_template("auth/intended.html", act=act, case=case if case.isdecimal() else "")
