"""A draft as it is now: its facts read from the store, its text, what it lacks, and the consent that it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from flask import abort

from admin.cases.common import case_or_404
from admin.cases.copier_summary import DECIDED, Copier, Item, copier_of
from admin.evidence.letter_drafts import requested_letter
from admin.evidence.letter_gate import Consents, agency_cases, gate_reasons
from admin.evidence.letter_grounds import Grounds, NoLetter, grounds_of, without_agency
from admin.identity.permissions import actor
from admin.letters import truth
from admin.notices.document import Notice, notice_of
from admin.notices.facts import NoticeFacts, chosen_cases, facts_of
from admin.web.db_session import database
from storage.errors import NotKnown
from storage.letters import consents, drafts, letterhead
from storage.pages import pages
from storage.records.cases import CaseRecord
from storage.records.correspondence.notices import DraftRecord, GateReason, NoticeForm


@dataclass(frozen=True)
class CurrentDraft:
    """`items`: cases that the notice may name. `notice`: None for the plain letter, whose text is in the draft."""

    draft: DraftRecord
    case: CaseRecord
    copier: Copier
    items: tuple[Item, ...]
    refusal: NoLetter | None
    facts: NoticeFacts | None
    notice: Notice | None

    @property
    def text(self) -> str:
        """What a second person consents to."""
        return self.draft.inputs.get("text", "") if self.notice is None else self.notice.text

    @property
    def digest(self) -> str:
        return consents.digest(self.text).hex()

    @cached_property
    def named(self) -> tuple[Item, ...]:
        """The cases that the text names."""
        if self.notice is None:
            return truth.named_in(self.text, self.items)
        chosen = chosen_cases(self.draft.inputs)
        return tuple(item for item in self.items if item.case.id in chosen)

    @cached_property
    def reasons(self) -> Mapping[GateReason, tuple[str, ...]]:
        return gate_reasons(database(), self.named)

    @cached_property
    def consents(self) -> Consents:
        wanted = {reason.value for reason in self.reasons}
        of_text = (
            one
            for one in consents.consents_of(database(), self.draft.id)
            if one.sha256.hex() == self.digest and wanted <= set(one.reasons.split(","))
        )
        found = sorted(of_text, key=lambda one: one.given_at is None)
        return Consents(self.reasons, next(iter(found), None))


def current_draft(draft_id: int) -> CurrentDraft:
    """Ends the request with 404 for a draft that is not there."""
    try:
        draft = drafts.get_draft(database(), draft_id)
    except NotKnown:
        abort(404)
    if draft.form is NoticeForm.LETTER:
        return _plain_letter(draft)
    case = case_or_404(draft.case_id)
    copier, grounds = notice_grounds(case)
    ours = pages.pages_by_id(database(), {item.case.our_page_id for item in grounds.named})
    sender = letterhead.letterhead(database())
    facts = facts_of(copier, grounds.named, ours, sender, draft.inputs)
    notice = notice_of(draft.form, facts)
    return CurrentDraft(draft, case, copier, grounds.named, grounds.refusal, facts, notice)


def notice_grounds(case: CaseRecord) -> tuple[Copier, Grounds]:
    """The copier of a case, and the confirmed cases that a notice may name, also by meaning alone."""
    copier = copier_of(database(), case, states=DECIDED, made_by=actor().name, always=True)
    grounds = grounds_of(copier, case, with_meaning=True)
    grounds = without_agency(grounds, case, agency_cases(database(), grounds.named))
    named = tuple(item for item in grounds.named if item.case.state in DECIDED)
    return copier, Grounds(named, grounds.left_out, grounds.refusal)


def _plain_letter(draft: DraftRecord) -> CurrentDraft:
    follows = draft.inputs.get("follows", "")
    follows_id = int(follows) if follows.isdecimal() else None
    requested = requested_letter(draft.case_id, draft.language, follows_id=follows_id)
    grounds = requested.grounds
    return CurrentDraft(draft, requested.case, requested.copier, grounds.named, grounds.refusal, None, None)
