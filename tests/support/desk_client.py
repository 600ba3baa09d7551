"""The desk for tests: an app on a database of the test's own, people who log in, and hits to look at."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

from flask import Flask, session
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from admin.app import create_app
from admin.auth.login_attempts import enter
from admin.auth.passwords import hash_password
from admin.web.db_session import database, let_go
from admin.web.services import Services
from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION
from storage.accounts import accounts
from storage.engine import make_engine, transaction
from storage.errors import NameTaken
from storage.matches import saving as match_saving
from storage.pages import saving as page_saving
from storage.records.accounts import AccountRecord
from storage.records.differences import Differences
from storage.records.matches import Evidence, NewMatch, NewPageMatch, Passage
from storage.records.pages import Declared, FingerprintedArticle, NewArticle
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import AccountRole, Credit, DateOrigin, FoundBy, MatchKind, Precision, SiteRole

NAME, PASSWORD = "审核员", "correct horse battery"
PUBLISHED = datetime(2026, 3, 1, 1, 30, tzinfo=UTC)

COPY_TEXT = "编者按。\n老桥修好了，来往的人又多了起来，河边的茶馆也开了门。\n本文仅代表作者观点。"
SOURCE_TEXT = "县里的消息：\n老桥修好了，来往的人又多起来，河边的茶馆也开了门。\n（完）"
PASSAGES = (Passage(5, 33, 7, 34, 0.96, Differences(inserted=1)),)

_CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')


def make_app(engine: Engine, *, language: str = "zh", secure_cookies: bool = False) -> Flask:
    return app_with(_services(engine, language, secure_cookies=secure_cookies))


def app_with(services: Services) -> Flask:
    """The desk on `services`. To make it takes longer than most tests: those of a process have the same one in turn, as
    the visitors of an installation have. A test that changes it, or needs it on two engines, makes its `own_app`.
    """
    app = _app_in_turn(secure_cookies=services.secure_cookies)
    services.attach(app)
    return app


def own_app(engine: Engine, *, language: str = "zh") -> Flask:
    return create_app(_services(engine, language, secure_cookies=False))


@cache
def _app_in_turn(*, secure_cookies: bool) -> Flask:
    nowhere = make_engine("postgresql+psycopg2://nowhere/none")
    return create_app(_services(nowhere, "en", secure_cookies=secure_cookies))


def _services(engine: Engine, language: str, *, secure_cookies: bool) -> Services:
    return Services(engine=engine, secret_key="for tests", language=language, secure_cookies=secure_cookies)


@cache
def hashed(password: str) -> str:
    """Hashing is slow on purpose; once is enough for all tests."""
    return hash_password(password)


def add_person(
    engine: Engine, *, language: str = "", role: AccountRole = AccountRole.REVIEWER, name: str = NAME
) -> AccountRecord:
    with transaction(engine) as session:
        return accounts.add_account(session, name=name, password_hash=hashed(PASSWORD), role=role, language=language)


def csrf_token(client: FlaskClient, path: str = "/login") -> str:
    found = _CSRF.search(client.get(path).text)
    assert found is not None
    return found[1]


def log_in(client: FlaskClient, *, name: str = NAME, password: str = PASSWORD, next_path: str = "") -> TestResponse:
    form = {"csrf_token": csrf_token(client), "name": name, "password": password, "next": next_path}
    return client.post("/login", data=form)


def let_in(client: FlaskClient, *, name: str = NAME) -> None:
    """As after a log-in, by what follows the right password: to look at that one is slow on purpose, and most tests
    are about what comes afterwards.
    """
    with client.application.test_request_context("/login", method="POST", environ_base=client.environ_base):
        account = accounts.account_by_name(database(), name)
        assert account is not None
        enter(account)
        let_go()
        begun = dict(session)
    with client.session_transaction() as kept:
        kept.update(begun)


def client_of_person(engine: Engine, *, language: str = "zh", role: AccountRole = AccountRole.REVIEWER) -> FlaskClient:
    """A browser in which somebody of `role` has logged in."""
    add_person(engine, role=role)
    client = make_app(engine, language=language).test_client()
    let_in(client)
    return client


@dataclass(frozen=True)
class Side:
    """A page to store, with what may be hostile about it."""

    url: str
    text: str
    title: str = ""
    site: str | None = None
    author: str = ""
    role: SiteRole = SiteRole.WATCHED
    owner: str | None = None
    published_at: datetime | None = PUBLISHED
    precision: Precision = Precision.MINUTE


COPY = Side("https://copier.example/a", COPY_TEXT, title="老桥又通了", site="抄写网", owner="抄写公司")
SOURCE = Side(
    "https://county.example/bridge",
    SOURCE_TEXT,
    title="老桥修好了",
    site="县报",
    owner="县报社",
    role=SiteRole.ORIGINAL,
    author="王记者",
    published_at=PUBLISHED - timedelta(days=2),
)


def store_hit(
    session: Session,
    *,
    copy: Side = COPY,
    source: Side = SOURCE,
    passages: Sequence[Passage] = PASSAGES,
    kind: MatchKind = MatchKind.EMBEDDED,
    score: float = 0.91,
    shares: tuple[float, float] = (0.62, 0.71),
    confidence: float = 0.93,
    reasons: Sequence[str] = ("nothing shows which was first",),
    credit: Credit = Credit.NONE,
    credit_evidence: str = "",
    provisional: bool = False,
) -> int:
    """Stores both pages and their match; returns the id of the hit. `shares` are the copy's and the source's."""
    copy_page, copy_text = store_page(session, copy)
    source_page, source_text = store_page(session, source)
    copy_is_low = copy_text <= source_text
    match_id, _is_new = match_saving.store_match(
        session,
        NewMatch(
            low_text_id=min(copy_text, source_text),
            high_text_id=max(copy_text, source_text),
            algorithm_version=ALGORITHM_VERSION,
            kind=kind,
            score=score,
            low_share=shares[0] if copy_is_low else shares[1],
            high_share=shares[1] if copy_is_low else shares[0],
            longest=max((passage.left_end - passage.left_start for passage in passages), default=0),
            passages=tuple(passage if copy_is_low else passage.swapped() for passage in passages),
            evidence=Evidence(18, 7, 4, 26, 0, provisional),
        ),
    )
    found = NewPageMatch((copy_page, source_page), source_page, confidence, tuple(reasons), credit, credit_evidence)
    return match_saving.store_page_match(session, match_id, found)


def store_page(session: Session, side: Side) -> tuple[int, int]:
    site_id = None if side.site is None else _site_id(session, side.site, side)
    article = NewArticle(
        url=side.url,
        text=side.text,
        found_by=FoundBy.SPIDER,
        fetched_at=PUBLISHED + timedelta(days=1),
        title=side.title,
        author=side.author,
        declared=Declared(side.published_at, side.precision, DateOrigin.JSON_LD) if side.published_at else Declared(),
        site_id=site_id,
    )
    saved = page_saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(side.text))])[0]
    return saved.page_id, saved.text_id


def _site_id(session: Session, name: str, side: Side) -> int:
    settings = SiteSettings(name=name, start_urls=(side.url,), hosts=(), role=side.role)
    try:
        with session.begin_nested():
            return sites.add_site(session, settings, owner=side.owner).id
    except NameTaken:
        return sites.get_site(session, name).id
