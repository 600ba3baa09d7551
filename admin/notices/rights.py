"""Whether the current person may consent to a draft now."""

from admin.evidence.letter_gate import way_to_consent
from admin.identity.permissions import actor, has_role
from admin.notices.current import CurrentDraft
from admin.web.db_session import database
from storage.jobs import queue
from storage.letters import consents
from storage.records.correspondence.notices import ConsentWay
from storage.types import AccountRole


def consent_way(current: CurrentDraft) -> ConsentWay | None:
    """How the current person may consent to the present text; None where no consent is open, or not by this person."""
    asked, account = current.consents.asked, actor()
    is_open = current.consents.is_open and current.draft.letter_id is None
    if asked is None or not is_open or not has_role(account, AccountRole.REVIEWER):
        return None
    others = consents.others_who_may_send(database(), account.id)
    now = queue.database_time(database())
    written_by_id = current.draft.changed_by_id
    return way_to_consent(asked, account_id=account.id, written_by_id=written_by_id, others=others, now=now)
