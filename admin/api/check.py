"""Check a text against the store, as `zhiwen check` does. Nothing is stored unless the caller asks for it."""

from dataclasses import replace
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from admin.api.asking import Caller
from admin.api.fields import RequestSchema, one_of, words
from admin.api.passages import AlikePassage, DirectionAnswer, any_kind_field, credit_field
from admin.api.problems import refuse
from admin.api.reading import LONGEST_NAME, read_html, read_url
from admin.api.routes import Needs, Routes
from admin.check.input import LONGEST_MARKUP, LONGEST_URL, CheckInput
from admin.check.retention import Keep, expiry
from admin.web import reading_slots
from admin.web.db_session import database
from admin.web.desk_address import outside_url
from admin.web.replica_reads import on_replica
from admin.web.services import current_services
from crawler.importers.documents import MAX_TEXT_CHARS
from matcher.comparison import check as comparison_check
from matcher.explanation.checked_sources import checked_result
from matcher.explanation.json_shapes import check_json
from matcher.retellings.check_by_meaning import NOT_ASKED, MeaningResult, check_by_meaning
from storage.accounts.api_tokens import TokenScope
from storage.intake import text_checks
from storage.intake.check_records import CheckedText
from storage.records.pages import NewArticle
from storage.types import AccountRole, Relation, RetellingKind

MOST_MATCHES: Final = 200
LARGEST_BODY: Final = 6 * LONGEST_MARKUP
"""In bytes: JSON may take six for a character."""

routes = Routes("check", "Is this text original?")


class CheckBody(RequestSchema):
    """A text to check. One of `text`, `html` and `url` is required."""

    id = words(200, about="Your id; returned in the answer.")
    text = words(MAX_TEXT_CHARS, about="The article as published. Offsets in the answer count its code points.")
    html = words(LONGEST_MARKUP, about="The same as HTML, a page or a fragment.")
    url = words(LONGEST_URL, about="Where it is published; fetched if there is neither text nor html.")
    title = words(LONGEST_NAME)
    author = words(LONGEST_NAME)
    meaning = fields.Boolean(
        load_default=True,
        metadata={"description": "Whether to look for retellings and translations, too; takes some 0.1 s more."},
    )
    limit = fields.Integer(strict=True, load_default=50, validate=validate.Range(min=1, max=MOST_MATCHES))
    keep = one_of(
        Keep,
        about="Keep text and result for an hour, 30 days or a year, and return a link that opens them in the desk."
        " Without it nothing is stored.",
    )

    @validates_schema
    def says_what(self, data: dict[str, Any], **_kwargs: Any) -> None:
        if not any(data.get(name, "").strip() for name in ("text", "html", "url")):
            raise ValidationError("There is nothing to check: send text, html or url.", "text")


class ComparedWithAnswer(Schema):
    """What the text was compared with."""

    texts = fields.Integer(required=True)
    sites = fields.Integer(required=True)
    newest = fields.DateTime(required=True, allow_none=True)
    waiting = fields.Integer(
        metadata={"description": "Texts not compared: their fingerprints are still to be recomputed."}
    )
    texts_estimated = fields.Boolean(
        metadata={"description": "Set where the store is too large to count its texts for each check."}
    )


class HoldingPage(Schema):
    """A page with a matched text."""

    url = fields.String(required=True)
    page_id = fields.Integer(required=True)
    title = fields.String(required=True)
    site = fields.String(required=True, allow_none=True)
    published_at = fields.DateTime(required=True, allow_none=True)
    first_seen_at = fields.DateTime(required=True)


class AgreeingFigures(Schema):
    """Figures in sentences that say the same."""

    shared = fields.Integer(required=True, metadata={"description": "Figures that agree."})
    of = fields.Integer(required=True, metadata={"description": "The most that could."})


class RetoldBeside(Schema):
    """What the two texts say alike beyond their common wording."""

    kind = fields.String(required=True, metadata={"enum": list(RetellingKind)})
    score = fields.Float(required=True)
    proof = fields.List(fields.String(), required=True)
    in_order = fields.Integer(required=True)
    figures = fields.Nested(AgreeingFigures, required=True)
    passages = fields.List(fields.Nested(AlikePassage), required=True)


class CheckMatch(Schema):
    """A stored text that shares enough with the checked one, in wording or in meaning (kinds `retold`, `translated`).
    In a match by meaning, shares are shares of the sentences, and what belongs to fingerprints is null or 0.
    """

    url = fields.String(required=True)
    page_id = fields.Integer(required=True)
    title = fields.String(required=True)
    site = fields.String(required=True, allow_none=True)
    pages = fields.List(
        fields.Nested(HoldingPage),
        required=True,
        metadata={
            "description": f"Every page with the same text, first seen first, up to {comparison_check.PAGES_NAMED}."
        },
    )
    other_pages = fields.Integer(required=True, metadata={"description": "Number of further pages with the same text."})
    kind = any_kind_field()
    score = fields.Float(required=True)
    query_share = fields.Float(required=True, metadata={"description": "Of the checked text, 0…1."})
    stored_share = fields.Float(required=True, metadata={"description": "Of the stored text, 0…1."})
    own_share = fields.Float(required=True, metadata={"description": "Share that no better match explains, 0…1."})
    longest = fields.Integer(required=True, metadata={"description": "Characters of the longest passage."})
    simhash_distance = fields.Integer(required=True, allow_none=True)
    shared_slices = fields.Integer(required=True)
    shared_seeds = fields.Integer(required=True)
    direction = fields.Nested(DirectionAnswer, required=True)
    credit = credit_field()
    relation = fields.String(
        metadata={
            "enum": list(Relation),
            "description": "`both_from_third`: both have it from another text, and neither from the other.",
        }
    )
    third = fields.String(
        allow_none=True, metadata={"description": "The page that both have it from; null if it is not stored."}
    )
    particulars = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Names, terms and figures in both that texts on the same subject seldom have."},
    )
    proof = fields.List(
        fields.String(), metadata={"description": "What proves a match by meaning, in words. Only there."}
    )
    in_order = fields.Integer(
        metadata={"description": "Sentences that follow each other in both texts. Only in a match by meaning."}
    )
    figures = fields.Nested(AgreeingFigures)
    retold = fields.Nested(
        RetoldBeside,
        required=True,
        allow_none=True,
        metadata={"description": "What a match of the wording retells besides; else null."},
    )
    passages = fields.List(fields.Nested(AlikePassage), required=True)


class KeptAnswer(Schema):
    """Where a kept result is read, by everybody who may check texts and has the link, and until when."""

    link = fields.String(required=True)
    until = fields.DateTime(required=True)


class CheckAnswer(Schema):
    """The verdict, and the stored texts that it rests on, highest confidence first."""

    id = fields.String(required=True)
    chars = fields.Integer(required=True)
    elapsed_ms = fields.Float(required=True)
    verdict = fields.String(
        required=True, metadata={"enum": ["original", "borrowed", "copy", "similar", "cannot_judge"]}
    )
    compared_with = fields.Nested(ComparedWithAnswer, required=True)
    cut = fields.Integer(required=True, metadata={"description": "Matches or candidates left out by a limit."})
    matches = fields.List(fields.Nested(CheckMatch), required=True)
    kept = fields.Nested(KeptAnswer, metadata={"description": "Only where `keep` was sent."})


@routes.post(
    "", Needs(TokenScope.CHECK, AccountRole.REVIEWER), body=CheckBody, answers={200: CheckAnswer},
    most_bytes=LARGEST_BODY,
)  # fmt: skip
def check(caller: Caller, params: dict[str, Any]) -> object:
    """Compare a text with all stored texts. Nothing is stored unless `keep` is sent."""
    found = _read(params)
    if len(found.text) > MAX_TEXT_CHARS:
        refuse(422, f"The text is too long: up to {MAX_TEXT_CHARS} characters are checked at once.", word="too-long")
    article = found.article
    reading_slots.take_for(article.text)
    try:
        result = on_replica(lambda: _checked(article, params["limit"], by_meaning=params["meaning"]))
    except comparison_check.NothingToCompareWith as error:
        refuse(409, str(error), word="nothing-to-compare-with")
    answer = check_json(params.get("id", ""), *result)
    return answer | {"kept": _kept(caller, found, params, *result)} if params.get("keep") else answer


def _kept(
    caller: Caller,
    found: CheckInput,
    params: dict[str, Any],
    result: comparison_check.CheckResult,
    meaning: MeaningResult,
) -> dict[str, object]:
    """Stores the text with its result."""
    article, until = found.article, expiry(Keep(params["keep"]))
    text = CheckedText(
        article.text, found.title, found.author, found.url, found.kind, by_meaning=meaning is not NOT_ASKED
    )
    key = text_checks.keep_check(
        database(),
        text,
        checked_result(result, meaning),
        account_id=caller.account.id,
        expires_at=until,
        is_shared=True,
    )
    return {"link": outside_url("check_results.detail", check_key=key), "until": until}


def _checked(
    article: NewArticle, bound: int, *, by_meaning: bool
) -> tuple[comparison_check.CheckResult, MeaningResult]:
    against = comparison_check.compared_with(database())
    result = comparison_check.check(database(), article, against=against, bound=bound)
    open_search = current_services().open_search
    if open_search is None or not by_meaning:
        return result, NOT_ASKED
    return result, check_by_meaning(database(), article, result, open_search)


def _read(params: dict[str, Any]) -> CheckInput:
    title, author, url = (params.get(name, "").strip() for name in ("title", "author", "url"))
    if params.get("text", "").strip():
        return CheckInput(params["text"], title=title, author=author, url=url)
    found = read_html(params["html"]) if params.get("html", "").strip() else read_url(url)
    title, author, url = title or found.title, author or found.author, found.url or url
    return replace(found, title=title, author=author, url=url)
