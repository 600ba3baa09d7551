"""Articles pushed by a publisher's own system: one at a time when they change, or in batches."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from marshmallow import Schema, fields, validate

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, RequestSchema, piece, pieces_of, shape, words
from admin.api.original_intake import Prepared, prepare, site_for
from admin.api.problems import Problem, known, refuse
from admin.api.reading import LONGEST_NAME
from admin.api.routes import READS, Needs, Routes, no_content
from admin.check.input import LONGEST_MARKUP, LONGEST_URL
from admin.web.db_session import database
from crawler.importers.documents import MAX_TEXT_CHARS
from storage.accounts import audit_log
from storage.accounts.api_tokens import TokenScope
from storage.intake import originals
from storage.intake.originals import AddressTaken, NotStored, OriginalRecord, Pushed
from storage.jobs import queue
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import AccountRole, Rights

MOST_IN_BATCH: Final = 100
MOST_MARKUP: Final = 10
"""Articles of a batch that may be HTML: each is parsed in a child process."""
LARGEST_ARTICLE: Final = 6 * LONGEST_MARKUP
LARGEST_BATCH: Final = 48_000_000
"""In bytes."""
MATCH_PRIORITY: Final = 5
ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$"
_PUSHES: Final = Needs(TokenScope.ORIGINALS, AccountRole.MANAGER)

log = logging.getLogger(__name__)
routes = Routes("originals", "Your articles, by the ids of your own system.")
backfill_routes = Routes("backfills", "Progress of backfills of older articles.")


def _id() -> fields.String:
    pattern = validate.Regexp(ID_PATTERN)
    about = "The article's id in your system: letters, digits and . _ : ~ -"
    return fields.String(required=True, validate=pattern, metadata={"description": about})


def _site_name(about: str = "The site's name.", *, required: bool = False) -> fields.String:
    return words(200, least=1, required=required, about=about)


class OriginalBody(RequestSchema):
    """An article as it is published now. Sending it again replaces the earlier version."""

    id = _id()
    url = words(LONGEST_URL, least=1, required=True, about="Where it is published.")
    text = words(MAX_TEXT_CHARS, about="The article as published, without navigation.")
    html = words(LONGEST_MARKUP, about="The same as HTML; `text` takes precedence.")
    title = words(LONGEST_NAME)
    author = words(LONGEST_NAME)
    published_at = words(80, about="Time of publication in ISO 8601; without an offset, in the site's time zone.")
    rights = fields.String(
        validate=validate.OneOf(list(Rights)),
        metadata={"description": "Whose text it is; by default as set for the site."},
    )
    site = _site_name("The site's name; by default our site with the host of `url`.")


class BackfillMark(RequestSchema):
    """Progress of a backfill, in your system's terms; stored together with the batch."""

    name = words(80, least=1, required=True)
    position = words(originals.LONGEST_POSITION, least=1, required=True)


class BatchBody(RequestSchema):
    """Up to 100 articles of one site. Articles that cannot be stored are listed and do not stop the others."""

    site = _site_name(required=True)
    items = fields.List(fields.Nested(OriginalBody), required=True, validate=validate.Length(min=1, max=MOST_IN_BATCH))
    backfill = fields.Nested(BackfillMark)


class OriginalItem(Schema):
    """An article as it is stored."""

    id = fields.String(required=True)
    site = fields.String(required=True)
    page_id = fields.Integer(required=True)
    url = fields.String(required=True)
    title = fields.String(required=True)
    chars = fields.Integer(required=True)
    rights = fields.String(required=True, metadata={"enum": list(Rights)})
    first_pushed_at = fields.DateTime(required=True)
    pushed_at = fields.DateTime(required=True)
    gone_at = fields.DateTime(required=True, allow_none=True)


class PushAnswer(OriginalItem):
    """The same with the effect of this request."""

    status = fields.String(required=True, metadata={"enum": list(Pushed)})


class RefusedItem(Schema):
    """A refused article of a batch, and why."""

    id = fields.String(required=True)
    detail = fields.String(required=True)
    word = fields.String(required=True)


class BatchAnswer(Schema):
    """The result for each article of a batch."""

    taken = fields.List(fields.Nested(PushAnswer), required=True)
    refused = fields.List(fields.Nested(RefusedItem), required=True)


class BackfillAnswer(Schema):
    """The progress of a backfill."""

    name = fields.String(required=True)
    position = fields.String(required=True)
    taken = fields.Integer(required=True)
    refused = fields.Integer(required=True)
    updated_at = fields.DateTime(required=True)


class SiteQuery(RequestSchema):
    site = _site_name()


class NeededSiteQuery(RequestSchema):
    site = _site_name(required=True)


class OriginalsQuery(PieceQuery):
    site = _site_name()


OriginalsAnswer = pieces_of(OriginalItem, "OriginalsAnswer")


@routes.post("", _PUSHES, body=OriginalBody, answers={200: PushAnswer, 201: PushAnswer}, most_bytes=LARGEST_ARTICLE)
def push(caller: Caller, params: dict[str, Any]) -> object:
    """Push an article, new or changed. Sending it twice changes nothing the second time.

    The status is 201 for a new id; 200 comes with `status`. The article is compared with the store right away.
    """
    site = site_for(params)
    status, kept = _push(prepare(params, site))
    _note(caller, site, [kept.external_id])
    return _item(kept) | {"status": status}, 201 if status is Pushed.CREATED else 200


@routes.post("/batches", _PUSHES, body=BatchBody, answers={200: BatchAnswer}, most_bytes=LARGEST_BATCH)
def push_batch(caller: Caller, params: dict[str, Any]) -> object:
    """Push many articles at once, as in a backfill of everything published before.

    With `backfill`, the position is stored in the same transaction: after an interruption, ask for it and continue
    there.
    """
    site = _named_site(params["site"])
    if sum("html" in item and not item.get("text") for item in params["items"]) > MOST_MARKUP:
        refuse(422, f"At most {MOST_MARKUP} articles of a batch may be markup; send text.", word="too-much-markup")
    taken: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    prepared = [(item["id"], _prepared(item, site)) for item in params["items"]]
    for number, one in prepared:
        try:
            status, kept = _push_of_many(one)
            taken.append(_item(kept) | {"status": status})
        except Problem as error:
            refused.append({"id": number, "detail": error.description or "", "word": error.word})
    if mark := params.get("backfill"):
        originals.note_backfill(
            database(), site.id, mark["name"], mark["position"], taken=len(taken), refused=len(refused), at=_now()
        )
    _note(caller, site, [one["id"] for one in taken])
    return {"taken": taken, "refused": refused}


@routes.get("", READS, query=OriginalsQuery, answer=OriginalsAnswer)
def list_originals(_caller: Caller, params: dict[str, Any]) -> object:
    """Pushed articles, newest first."""
    site = params.get("site")
    site_id = None if site is None else _named_site(site).id
    found = originals.list_originals(database(), site_id=site_id, below=params["cursor"], limit=params["limit"] + 1)
    return piece(found, params["limit"], _item)


@routes.get("/<string:original_id>", READS, query=SiteQuery, answer=OriginalItem)
def get_original(_caller: Caller, params: dict[str, Any], original_id: str) -> object:
    """One article by your id."""
    return _item(_original(original_id, params))


@routes.delete("/<string:original_id>", _PUSHES, query=SiteQuery, answer=OriginalItem)
def withdraw(caller: Caller, params: dict[str, Any], original_id: str) -> object:
    """Withdraw an article that you have taken down: its page is marked as gone. Its matches and cases stay."""
    found = _original(original_id, params)
    if originals.withdraw_original(database(), found, at=_now()):
        said = {"token": caller.token.name}
        subject = f"{found.site_name} / {found.external_id}"
        audit_log.record(database(), actor=caller.account, act="original.withdraw", subject=subject, detail=said)
    return _item(_original(original_id, {"site": found.site_name}))


@backfill_routes.get("/<string:name>", READS, query=NeededSiteQuery, answer=BackfillAnswer)
def get_backfill(_caller: Caller, params: dict[str, Any], name: str) -> object:
    """The progress of a backfill."""
    found = originals.backfill_of(database(), _named_site(params["site"]).id, name)
    return known(found, "There is no backfill of this name yet: start from the beginning.")


@backfill_routes.delete("/<string:name>", _PUSHES, query=NeededSiteQuery)
def forget_backfill(_caller: Caller, params: dict[str, Any], name: str) -> object:
    """Delete the progress of a backfill; its articles stay."""
    if not originals.forget_backfill(database(), _named_site(params["site"]).id, name):
        refuse(404, "There is no backfill of this name.")
    return no_content()


def _push(prepared: Prepared) -> tuple[Pushed, OriginalRecord]:
    """Raises Problem."""
    try:
        return originals.push_original(database(), prepared.site_id, prepared.external_id, prepared.item, at=_now())
    except AddressTaken as error:
        refuse(409, str(error), word="address-taken")


def _prepared(item: dict[str, Any], site: SiteRecord) -> Prepared | Problem:
    """An article of a batch, or what is wrong with it: an error in one stops none of the others."""
    try:
        return prepare(item, site)
    except Problem as error:
        return error
    except Exception:
        log.exception("%s of %s could not be read", item["id"], site.name)
        return _not_stored()


def _push_of_many(prepared: Prepared | Problem) -> tuple[Pushed, OriginalRecord]:
    """Raises Problem, also where the database does not take the article."""
    if isinstance(prepared, Problem):
        raise prepared
    try:
        return _push(prepared)
    except NotStored as error:
        log.exception("an article of a batch could not be stored")
        raise _not_stored() from error


def _not_stored() -> Problem:
    return Problem(
        422, "This article could not be stored; the program's log says why. Send it again.", word="not-stored"
    )


def _note(caller: Caller, site: SiteRecord, numbers: list[str]) -> None:
    """Queue a comparison and log the push."""
    if not numbers:
        return
    queue.defer_once(database(), queue.MATCH, priority=MATCH_PRIORITY)
    subject = f"{site.name} / {numbers[0]}" + (f" … ({len(numbers)})" if len(numbers) > 1 else "")
    said = {"token": caller.token.name}
    audit_log.record(database(), actor=caller.account, act="original.push", subject=subject, detail=said)


def _named_site(name: str) -> SiteRecord:
    found = next((site for site in sites.list_sites(database()) if site.name == name), None)
    if found is None:
        refuse(422, f"There is no site “{name}”.", word="site-unknown")
    return found


def _original(number: str, params: Mapping[str, Any]) -> OriginalRecord:
    site = params.get("site")
    site_id = None if site is None else _named_site(site).id
    found = originals.find_originals(database(), number, site_id=site_id)
    if not found:
        refuse(404, "There is no article with this id.")
    if len(found) > 1:
        refuse(409, "Several sites have an article with this id: name one with site.", word="ambiguous")
    return found[0]


def _item(kept: OriginalRecord) -> dict[str, Any]:
    same = ("page_id", "url", "title", "chars", "rights", "first_pushed_at", "pushed_at", "gone_at")
    return shape(kept, *same, id="external_id", site="site_name")


def _now() -> datetime:
    return datetime.now(UTC)
