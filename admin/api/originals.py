"""Articles pushed by a publisher's own system: one at a time when they change, or in batches."""

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from marshmallow import Schema, fields, validate

from admin.api.asking import Caller
from admin.api.fields import Asked, PieceQuery, piece, pieces_of, shape, words
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
routes = Routes("originals", "Your articles, under the numbers that your own system gives them.")
backfill_routes = Routes("backfills", "How far a hand-over of older articles has come.")


def _id() -> fields.String:
    pattern = validate.Regexp(ID_PATTERN)
    about = "The article's number in your system: letters, digits and . _ : ~ -"
    return fields.String(required=True, validate=pattern, metadata={"description": about})


def _site_name(about: str = "The site's name.", *, required: bool = False) -> fields.String:
    return words(200, least=1, required=required, about=about)


class OriginalBody(Asked):
    """An article as it is published now. What you send again replaces what was sent before."""

    id = _id()
    url = words(LONGEST_URL, least=1, required=True, about="Where it is published.")
    text = words(MAX_TEXT_CHARS, about="The article as published, without navigation.")
    html = words(LONGEST_MARKUP, about="The same as markup; `text` goes before it.")
    title = words(LONGEST_NAME)
    author = words(LONGEST_NAME)
    published_at = words(80, about="When it was published, as ISO 8601; without a zone it is the site's.")
    rights = fields.String(
        validate=validate.OneOf(list(Rights)),
        metadata={"description": "Whose text it is; without it, what holds for the site."},
    )
    site = _site_name("The site's name; without it, the one of ours with the host of `url`.")


class BackfillMark(Asked):
    """How far a hand-over has come, in your system's words; kept together with the batch."""

    name = words(80, least=1, required=True)
    position = words(originals.LONGEST_POSITION, least=1, required=True)


class BatchBody(Asked):
    """Up to 100 articles of one site. One that cannot be taken is named, and stops none of the others."""

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
    """The same, with what became of it by this request."""

    status = fields.String(required=True, metadata={"enum": list(Pushed)})


class RefusedItem(Schema):
    """An article of a batch that was not taken, and why."""

    id = fields.String(required=True)
    detail = fields.String(required=True)
    word = fields.String(required=True)


class BatchAnswer(Schema):
    """What became of each article of a batch."""

    taken = fields.List(fields.Nested(PushAnswer), required=True)
    refused = fields.List(fields.Nested(RefusedItem), required=True)


class BackfillAnswer(Schema):
    """Where to go on."""

    name = fields.String(required=True)
    position = fields.String(required=True)
    taken = fields.Integer(required=True)
    refused = fields.Integer(required=True)
    updated_at = fields.DateTime(required=True)


class SiteQuery(Asked):
    site = _site_name()


class NeededSiteQuery(Asked):
    site = _site_name(required=True)


class OriginalsQuery(PieceQuery):
    site = _site_name()


OriginalsAnswer = pieces_of(OriginalItem, "OriginalsAnswer")


@routes.post("", _PUSHES, body=OriginalBody, answers={200: PushAnswer, 201: PushAnswer}, most_bytes=LARGEST_ARTICLE)
def push(caller: Caller, asked: dict[str, Any]) -> object:
    """Hands an article over, or what has become of it. Sent twice, it changes nothing the second time.

    201 says that the number is new; 200 comes with `status`. It is compared with everything stored right away.
    """
    site = site_for(asked)
    status, kept = _push(prepare(asked, site))
    _note(caller, site, [kept.external_id])
    return _item(kept) | {"status": status}, 201 if status is Pushed.CREATED else 200


@routes.post("/batches", _PUSHES, body=BatchBody, answers={200: BatchAnswer}, most_bytes=LARGEST_BATCH)
def push_batch(caller: Caller, asked: dict[str, Any]) -> object:
    """Hands many articles over at once, as when all that was published before is brought in.

    With `backfill`, the position is kept in the same transaction: after a break, ask for it and go on from there.
    """
    site = _named_site(asked["site"])
    if sum("html" in item and not item.get("text") for item in asked["items"]) > MOST_MARKUP:
        refuse(422, f"At most {MOST_MARKUP} articles of a batch may be markup; send text.", word="too-much-markup")
    taken: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    prepared = [(item["id"], _prepared(item, site)) for item in asked["items"]]
    for number, one in prepared:
        try:
            status, kept = _push_of_many(one)
            taken.append(_item(kept) | {"status": status})
        except Problem as error:
            refused.append({"id": number, "detail": error.description or "", "word": error.word})
    if mark := asked.get("backfill"):
        originals.note_backfill(
            database(), site.id, mark["name"], mark["position"], taken=len(taken), refused=len(refused), at=_now()
        )
    _note(caller, site, [one["id"] for one in taken])
    return {"taken": taken, "refused": refused}


@routes.get("", READS, query=OriginalsQuery, answer=OriginalsAnswer)
def list_originals(_caller: Caller, asked: dict[str, Any]) -> object:
    """What was handed over, the newest first."""
    site = asked.get("site")
    site_id = None if site is None else _named_site(site).id
    found = originals.list_originals(database(), site_id=site_id, below=asked["cursor"], limit=asked["limit"] + 1)
    return piece(found, asked["limit"], _item)


@routes.get("/<string:original_id>", READS, query=SiteQuery, answer=OriginalItem)
def get_original(_caller: Caller, asked: dict[str, Any], original_id: str) -> object:
    """One article by your number."""
    return _item(_original(original_id, asked))


@routes.delete("/<string:original_id>", _PUSHES, query=SiteQuery, answer=OriginalItem)
def withdraw(caller: Caller, asked: dict[str, Any], original_id: str) -> object:
    """You have taken the article down: its page is marked as gone. What was found of it stays, also its cases."""
    found = _original(original_id, asked)
    if originals.withdraw_original(database(), found, at=_now()):
        said = {"token": caller.token.name}
        subject = f"{found.site_name} / {found.external_id}"
        audit_log.record(database(), actor=caller.account, act="original.withdraw", subject=subject, detail=said)
    return _item(_original(original_id, {"site": found.site_name}))


@backfill_routes.get("/<string:name>", READS, query=NeededSiteQuery, answer=BackfillAnswer)
def get_backfill(_caller: Caller, asked: dict[str, Any], name: str) -> object:
    """How far a hand-over has come."""
    found = originals.backfill_of(database(), _named_site(asked["site"]).id, name)
    return known(found, "Nothing was handed over under this name yet: begin at the beginning.")


@backfill_routes.delete("/<string:name>", _PUSHES, query=NeededSiteQuery)
def forget_backfill(_caller: Caller, asked: dict[str, Any], name: str) -> object:
    """Forgets how far a hand-over has come; the articles stay."""
    if not originals.forget_backfill(database(), _named_site(asked["site"]).id, name):
        refuse(404, "Nothing was handed over under this name.")
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


def _original(number: str, asked: Mapping[str, Any]) -> OriginalRecord:
    site = asked.get("site")
    site_id = None if site is None else _named_site(site).id
    found = originals.find_originals(database(), number, site_id=site_id)
    if not found:
        refuse(404, "Nothing was handed over under this number.")
    if len(found) > 1:
        refuse(409, "Several sites have an article of this number: say which with site.", word="ambiguous")
    return found[0]


def _item(kept: OriginalRecord) -> dict[str, Any]:
    same = ("page_id", "url", "title", "chars", "rights", "first_pushed_at", "pushed_at", "gone_at")
    return shape(kept, *same, id="external_id", site="site_name")


def _now() -> datetime:
    return datetime.now(UTC)
