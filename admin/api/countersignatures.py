"""Heads of other installations, countersigned for them: each is a witness that the other's chain was not rebuilt."""

from typing import Any, Final

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import RequestSchema, words
from admin.api.problems import Problem, refuse
from admin.api.routes import Needs, Routes
from admin.web.services import current_services
from crawler.evidence.signing_keys import PUBLIC_BYTES, KeyUnusable
from crawler.witnesses.countersigner import ALARMS, HeadRefusal, Refused, countersign
from crawler.witnesses.head_statements import MOST_CHARS, SIGNATURE_BYTES, BadStatement, read_head
from crawler.witnesses.signed_json import signed_as_json, signed_of_json
from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.records.witnesses import SignedStatement

_WITNESSES: Final = Needs(TokenScope.WITNESS)
_STATUS: Final = {
    HeadRefusal.BAD_STATEMENT: 422,
    HeadRefusal.UNKNOWN_KEY: 403,
    HeadRefusal.SPLIT_VIEW: 409,
    HeadRefusal.SHORTER_CHAIN: 409,
}

routes = Routes("countersignatures", "Heads of other installations that this one countersigns.")


class HeadBody(RequestSchema):
    """A head of the chain of another installation, signed with its evidence key."""

    statement = words(MOST_CHARS, least=1, required=True, about="The lines that are signed, as documented.")
    signature = words(2 * SIGNATURE_BYTES, required=True, about="Ed25519, of the statement in ASCII; hexadecimal.")
    public_key = words(2 * PUBLIC_BYTES, required=True, about="The 32 bytes of the public key; hexadecimal.")


class CountersignatureAnswer(Schema):
    """That the head was heard, signed with the evidence key of this installation."""

    statement = fields.String(required=True)
    signature = fields.String(required=True)
    public_key = fields.String(required=True)


@routes.post("", _WITNESSES, body=HeadBody, answers={200: CountersignatureAnswer})
def countersign_head(_caller: Caller, params: dict[str, Any]) -> object:
    """Countersign a head. The same head again gets the same answer.

    Refused with 409 and the contradicting signed head in `errors`: `split-view`, another hash at that number;
    `shorter-chain`, a number below one that was heard. Both raise an alert here.
    """
    services = current_services()
    try:
        statement = signed_of_json(params)
        read_head(statement)
        if services.home is None:
            refuse(503, "This desk has no evidence key: it was started without a home.", word="no-key")
        # In a transaction of its own: the alert about a contradiction stays, although the request is refused.
        with transaction(services.engine) as session:
            found = countersign(session, services.home, statement, accepted=services.accepted_keys)
    except BadStatement as error:
        refuse(422, f"The head cannot be countersigned: {error}.", word=HeadRefusal.BAD_STATEMENT)
    except (KeyUnusable, OSError):
        refuse(503, "The evidence key of this installation cannot be used. Its log says why.", word="no-key")
    if isinstance(found, SignedStatement):
        return signed_as_json(found)
    raise _problem(found)


def _problem(found: Refused) -> Problem:
    shown: dict[str, str] = {}
    if found.refusal in ALARMS and found.known is not None:
        shown = signed_as_json(found.known)
    errors = [{"field": name, "message": value} for name, value in shown.items()]
    return Problem(_STATUS[found.refusal], found.message, word=found.refusal.value, errors=errors)
