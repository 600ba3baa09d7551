"""Asks another installation to countersign a head of ours, and believes its answer only as far as it is signed."""

import json
from typing import Final
from urllib.parse import urlsplit

from crawler.network.endpoint import UNREACHABLE, Answer, AnswerTooLarge, Endpoint, on_one_line
from crawler.witnesses.countersigner import ALARMS, HeadRefusal
from crawler.witnesses.failures import Contradiction, WitnessFailed, WitnessRefused
from crawler.witnesses.head_statements import BadStatement, HeardStatement, read_head, read_heard
from crawler.witnesses.signed_json import signed_as_json, signed_of_json
from storage.records.witnesses import SignedStatement

PATH: Final = "/api/v1/countersignatures"
ANSWER_S: Final = 20.0
ANSWER_BYTES: Final = 20_000
WORDS_SHOWN: Final = 300
_OK: Final = 200
_LATER: Final = frozenset({404, 408, 425, 429, 500, 502, 503, 504})
"""Statuses of an installation that is being upgraded, is busy, or is not there yet."""
_PROBLEM: Final = "urn:zhiwen:problem:"


class CountersignatureClient:
    """`url`: the address of the other desk. `key_id`: that of the key with which it has to sign."""

    def __init__(self, url: str, *, token: str, key_id: str, answer_s: float = ANSWER_S) -> None:
        self.url = url.rstrip("/")
        self._target = urlsplit(self.url).path + PATH
        self._token = token
        self._key_id = key_id
        self._endpoint = Endpoint(url, answer_s=answer_s, answer_bytes=ANSWER_BYTES)

    def ask(self, statement: SignedStatement) -> tuple[SignedStatement, HeardStatement]:
        """Returns the other's signed answer about this head, verified.

        Raises WitnessFailed; WitnessRefused if the same request would be refused again; Contradiction if the other
        knows another head at that number or a longer chain.
        """
        answer = self._asked(json.dumps(signed_as_json(statement)).encode())
        said = self._read(answer)
        if answer.status != _OK:
            raise self._refusal(answer, said, statement)
        try:
            signed = signed_of_json(said)
            heard = read_heard(signed)
        except BadStatement as error:
            raise WitnessFailed(f"{self.url} answers with something else: {error}.") from error
        asked = read_head(statement)
        if heard.key_id != self._key_id:
            raise WitnessRefused(
                f"{self.url} signs with the key {heard.key_id}, and ZHIWEN_WITNESS_KEY names another. If the other "
                "installation renewed its key, ask its operator and correct the setting."
            )
        if (heard.of, heard.head) != (asked.key_id, asked.head):
            raise WitnessFailed(f"{self.url} answers about another head.")
        return signed, heard

    def _asked(self, body: bytes) -> Answer:
        headers = {
            **{"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Zhiwen"},
            "Authorization": f"Bearer {self._token}",
        }
        try:
            return self._endpoint.ask("POST", target=self._target, body=body, headers=headers)
        except AnswerTooLarge as error:
            raise WitnessFailed(f"{self.url} answers with {error}.") from error
        except UNREACHABLE as error:
            words = on_one_line(str(error) or type(error).__name__, without=self._token)
            raise WitnessFailed(f"{self.url} cannot be reached: {words}.") from error

    def _read(self, answer: Answer) -> object:
        try:
            found: object = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            if answer.status == _OK:
                raise WitnessFailed(f"{self.url} answers with something that is no JSON.") from error
            return None
        return found

    def _refusal(self, answer: Answer, said: object, statement: SignedStatement) -> WitnessFailed:
        fields = said if isinstance(said, dict) else {}
        detail = on_one_line(str(fields.get("detail", "")), without=self._token)[:WORDS_SHOWN]
        says = f"{self.url} does not countersign (status {answer.status}): {detail or 'no reason given'}"
        word = str(fields.get("type", "")).removeprefix(_PROBLEM)
        if word in {refusal.value for refusal in ALARMS}:
            return Contradiction(f"{says} {self._proof(fields, HeadRefusal(word), statement)}")
        if answer.is_redirect:
            return WitnessRefused(f"{says} Redirects are not followed: set ZHIWEN_WITNESS_URL to the final address.")
        return WitnessFailed(says) if answer.status in _LATER else WitnessRefused(says)

    def _proof(self, fields: dict[str, object], refusal: HeadRefusal, statement: SignedStatement) -> str:
        """Whether the other shows a contradicting head with a signature by our own key."""
        errors = fields.get("errors")
        shown = {}
        for one in errors if isinstance(errors, list) else []:
            if isinstance(one, dict):
                shown[str(one.get("field", ""))] = one.get("message")
        try:
            signed, asked = signed_of_json(shown), read_head(statement)
            known = read_head(signed)
        except BadStatement:
            return "It shows no signed head that would prove it."
        is_split = known.head.number == asked.head.number and known.head.hash != asked.head.hash
        proves = is_split if refusal is HeadRefusal.SPLIT_VIEW else known.head.number > asked.head.number
        if known.key_id != asked.key_id or not proves:
            return "The head that it shows does not prove it."
        return f"It shows head {known.head}, signed by our own key at {known.at:%Y-%m-%d %H:%M:%S} UTC."
