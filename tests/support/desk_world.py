"""A desk with one of everything, and the routes of the app with values for it: new pages are covered as they come."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from flask import Flask
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session
from werkzeug.routing import Rule

from admin.identity.current_user import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS
from admin.identity.permissions import READING_METHODS
from admin.web.api_prefix import is_api
from fingerprint.compute import fingerprint_text
from matcher.cases import setting_aside
from storage.accounts import api_tokens, audit_log
from storage.accounts.api_tokens import TokenScope
from storage.base import Base
from storage.cases import actions, licences
from storage.contacts import contacts
from storage.crawl import runs
from storage.desk import saved_views
from storage.engine import transaction
from storage.intake import submissions, uploads
from storage.letters import drafts, letterhead
from storage.pages import history
from storage.records.accounts import AccountRecord
from storage.records.cases import Actor, LicenceTerms
from storage.records.correspondence.contacts import ContactKind
from storage.records.correspondence.notices import NoticeForm
from storage.records.set_aside import NewSetAside
from storage.records.submissions import NewSubmission
from storage.sites import sites
from storage.types import CaseState, FilePlace, Rights
from tests.support.alerts import fill_alerts
from tests.support.cases import store_case
from tests.support.checks import a_batch, a_certificate, a_check
from tests.support.correspondence.letters import a_letter, a_picture
from tests.support.desk_client import COPY, COPY_TEXT, SOURCE, SOURCE_TEXT
from tests.support.factories import text_of
from tests.support.meaning.retellings import THEIR_SIDE, stored_retelling
from tests.support.monitoring import fill_watching
from tests.support.web_search.searches import fill_searches

NOWHERE = 987_654_321
"""A number that nothing goes by."""

_PARAMETER = re.compile(r"<(?:[^:<>]+:)?(\w+)>")

CHANGED_BY_LOOKING = frozenset({"desk_session", "desk_visit", "login_failure"})
"""Tables in which being logged in leaves traces."""


@dataclass(frozen=True)
class Route:
    rule: Rule
    path: str
    unknown: str
    """The same with numbers of things that are not there; the same path where it has none."""
    changing: frozenset[str]

    @property
    def reads(self) -> bool:
        return "GET" in (self.rule.methods or ())


def fill(engine: Engine, owner_of_view: AccountRecord) -> dict[str, str]:
    """Stores one of everything; the values of the parameters of routes, by name."""
    case = fill_searches(engine).case
    retelling = stored_retelling(engine, copy=replace(THEIR_SIDE, url="https://copier.example/retold"))
    lettered = store_case(
        engine,
        copy=replace(COPY, url="https://copier.example/letter", text=f"{COPY_TEXT}信"),
        source=replace(SOURCE, url="https://county.example/letter", text=f"{SOURCE_TEXT}信"),
    )
    with transaction(engine) as session:
        letter_id = _letter(session, lettered.id, owner_of_view)
        draft_id = drafts.add_draft(
            session,
            lettered.id,
            NoticeForm.DMCA,
            "en",
            {"service": "<b>host</b>"},
            actor=Actor(owner_of_view.id, owner_of_view.name),
        )
        contact_id = contacts.add_by_hand(
            session, "copier.example", ContactKind.MAIL, "<b>x</b>@copier.example", by="<b>", at=datetime.now(UTC)
        )
        site = sites.get_site(session, COPY.site or "")
        run_id = runs.start_run(session, site.id, trigger="hand")
        runs.record_run(session, run_id, counters={"pages/fetched": 3}, refusal_samples={"robots": ["javascript:x"]})
        licence = licences.add_licence(session, LicenceTerms(owner=SOURCE.owner, copier=None))
        submission = submissions.add_submission(session, _submission(owner_of_view))
        saved_views.save_view(session, owner_of_view.id, name="mine", query="state=new", is_shared=False)
        check, batch = a_check(session, owner_of_view.id), a_batch(session, owner_of_view.id)
        certificate = a_certificate(session, owner_of_view.id)
        view = saved_views.views_for(session, owner_of_view.id)[0]
        audit_log.record(
            session, actor=owner_of_view, act="site.add", subject="<b>县报</b>", detail={"role": "original"}
        )
        api_tokens.add_token(
            session,
            owner_of_view.id,
            name="<b>CMS</b>",
            scopes=[TokenScope.READ],
            expires_at=datetime.now(UTC) + timedelta(days=9),
        )
        token = api_tokens.list_tokens(session)[0]
        brought = uploads.request_import(
            session,
            place=FilePlace.FOLDER,
            path="<b>文章</b>.jsonl",
            site_name="<b>县报</b>",
            rights=Rights.OWN,
            brought_by=owner_of_view.name,
        )
        uploads.note(session, brought, bytes_read=1, counters={"refused/robots": 1}, problems=["<b>坏</b>"])
        of_alerts = fill_alerts(session, account_id=owner_of_view.id, view_id=view.id, site_id=site.id, case_id=case.id)
        version = history.versions_of_pages(session, [case.ours.page_id])[case.ours.page_id][0]
        of_watching = fill_watching(session, site_id=site.id)
        set_aside = NewSetAside(f"<b>{text_of(9, chars=120)}</b>", page_id=case.theirs.page_id)
        set_aside_id = setting_aside.set_aside(
            session, set_aside, actor_id=None, actor="<b>", is_confirmed=True
        ).set_aside_id
    values = {
        **of_alerts,
        **of_watching,
        "account_id": owner_of_view.id,
        "batch": batch,
        "check_key": check,
        "digest": "0",
        "draft_id": draft_id,
        "number": certificate,
        "import_id": brought,
        "case_id": case.id,
        "contact_id": contact_id,
        "copier_key": f"owner:{site.owner_id}",
        "file_kind": "csv",
        "hit_id": case.hit_id,
        "kind": "txt",
        "letter_id": letter_id,
        "licence_id": licence.id,
        "list_name": "hits",
        "owner_id": site.owner_id,
        "page_id": case.ours.page_id,
        "retelling_id": retelling.id,
        "run_id": run_id,
        "secret": "x",
        "session_id": 1,
        "set_aside_id": set_aside_id,
        "site_id": site.id,
        "step": "0",
        "submission_id": submission.id,
        "token_id": token.id,
        "version_id": version.id,
        "view_id": view.id,
    }
    return {name: str(value) for name, value in values.items()}


def _letter(session: Session, case_id: int, by: AccountRecord) -> int:
    """Sent long ago, and not answered; with a seal."""
    lin = Actor(by.id, by.name)
    actions.move_case(session, case_id, CaseState.CONFIRMED, expected=CaseState.NEW, actor=lin)
    letterhead.set_seal(session, a_picture(), changed_by=by.name)
    body = "<b>侵权通知书</b>\n\n\u202e正文"
    return a_letter(session, [case_id], lin, body=body, copier="<i>抄写网</i>", recipient="<b>法务</b>")


def _submission(by: AccountRecord) -> NewSubmission:
    return NewSubmission(
        collection="作文",
        author="学生甲",
        title="<b>老桥</b>",
        body=COPY_TEXT,
        fingerprint=fingerprint_text(COPY_TEXT),
        added_by_id=by.id,
        expires_at=datetime.now(UTC) + timedelta(days=9),
    )


def routes(app: Flask, values: Mapping[str, str]) -> list[Route]:
    """All that need a log-in. A parameter that has no value here yet fails: give it one in `fill`."""
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint in PUBLIC_ENDPOINTS | ASSET_ENDPOINTS or is_api(rule.rule):
            continue
        path = _PARAMETER.sub(lambda parameter: values[parameter[1]], rule.rule)
        unknown = re.sub(r"<key:\w+>", str(NOWHERE), rule.rule)
        unknown = _PARAMETER.sub(lambda parameter: values[parameter[1]], unknown)
        found.append(Route(rule, path, unknown, frozenset(set(rule.methods or ()) - READING_METHODS)))
    return sorted(found, key=lambda route: route.rule.rule)


def content(engine: Engine) -> dict[str, str]:
    """A sum over each table in which a request may not leave a trace unless it changes something."""
    with transaction(engine) as session:
        return {
            table: str(session.execute(text(_SUM.format(table=table))).scalar())
            for table in Base.metadata.tables
            if table not in CHANGED_BY_LOOKING
        }


_SUM = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM \"{table}\" t"
