"""Calendars of OpenTimestamps: a hash goes there, a promise comes back, and later the path to a Bitcoin block.

Only the address of the settings is asked, whatever a proof says. The hash that leaves is that of the list's hash with
16 random bytes: the calendar cannot recognise the list, and not even whether it has seen it before.
"""

import secrets
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from crawler.network.endpoint import UNREACHABLE, Answer, AnswerTooLarge, Endpoint, on_one_line
from crawler.witnesses.failures import WitnessFailed, WitnessRefused
from crawler.witnesses.proof_tree import (
    APPEND,
    DIGEST_BYTES,
    SHA256,
    BitcoinBlock,
    Operation,
    Pending,
    ProofTree,
    ProofUnreadable,
    applied,
    read_proof,
)

ANSWER_S: Final = 20.0
ANSWER_BYTES: Final = 10_000
"""As the library of OpenTimestamps bounds an answer."""
NONCE_BYTES: Final = 16
WORDS_SHOWN: Final = 200
_OK: Final = 200
_NOT_FOUND: Final = 404
_LASTING: Final = frozenset({400, 401, 403, 405, 410, 413, 415})
"""Statuses that the same request would get again."""
_HEADERS: Final = {"Accept": "application/vnd.opentimestamps.v1", "User-Agent": "Zhiwen"}


@dataclass(frozen=True, slots=True)
class Block:
    """Where a proof leads: the header of this Bitcoin block has to have this Merkle root (bytes as in the header)."""

    height: int
    merkle_root: bytes

    @property
    def shown_root(self) -> str:
        """As block explorers and `bitcoin-cli getblock` print it: in reverse order."""
        return self.merkle_root[::-1].hex()


class Calendar:
    """`url`: the calendar's address in the settings, such as `https://alice.btc.calendar.opentimestamps.org`."""

    def __init__(self, url: str, *, answer_s: float = ANSWER_S) -> None:
        self.url = url.rstrip("/")
        self._path = urlsplit(self.url).path
        self._endpoint = Endpoint(url, answer_s=answer_s, answer_bytes=ANSWER_BYTES)

    def submit(self, digest: bytes) -> ProofTree:
        """Hands a SHA-256 to the calendar. Returns a proof of `digest` with the calendar's promise.

        Raises WitnessFailed, and WitnessRefused if asking again is useless.
        """
        if len(digest) != DIGEST_BYTES:
            raise ValueError(f"a SHA-256 has {DIGEST_BYTES} bytes, not {len(digest)}")
        blinding = (Operation(APPEND, secrets.token_bytes(NONCE_BYTES)), Operation(SHA256))
        return applied(digest, blinding, self._promised)

    def upgrade(self, proof: ProofTree) -> ProofTree:
        """Asks for the rest of a proof with promises of this calendar. Returns it as it was while there is none.

        Raises WitnessFailed, and WitnessRefused if asking again is useless.
        """
        promise = self._own_promise(proof)
        messages = dict.fromkeys(message for message, one in proof.attested() if one == promise)
        found = {message: tree for message in messages if (tree := self._completion(message)) is not None}
        return proof.completed(promise, found)

    def _promised(self, message: bytes) -> ProofTree:
        answer = self._asked("POST", "/digest", message)
        if answer.status != _OK:
            raise self._refusal(answer)
        tree = self._read(answer.body, message)
        self._own_promise(tree)
        return tree

    def _completion(self, message: bytes) -> ProofTree | None:
        answer = self._asked("GET", f"/timestamp/{message.hex()}", None)
        if answer.status == _NOT_FOUND:
            return None
        if answer.status != _OK:
            raise self._refusal(answer)
        return self._read(answer.body, message)

    def _own_promise(self, proof: ProofTree) -> Pending:
        promises = [one for _message, one in proof.attested() if isinstance(one, Pending)]
        own = next((one for one in promises if one.uri.rstrip("/") == self.url), None)
        if own is not None:
            return own
        others = ", ".join(sorted({one.uri for one in promises})[:3])
        if others:
            raise WitnessRefused(
                f"{self.url} is a pool: the rest of the proof is at {others}. Set ZHIWEN_OTS_CALENDARS to that address."
            )
        if block_of(proof) is not None:
            raise WitnessRefused(f"{self.url} has nothing to add: the proof is complete.")
        raise WitnessRefused(f"{self.url} answers without a promise. Check ZHIWEN_OTS_CALENDARS.")

    def _read(self, body: bytes, message: bytes) -> ProofTree:
        try:
            return read_proof(body, message)
        except ProofUnreadable as error:
            raise WitnessFailed(f"{self.url} answers with something else: {error}.") from error

    def _asked(self, method: str, target: str, body: bytes | None) -> Answer:
        try:
            return self._endpoint.ask(method, target=f"{self._path}{target}", body=body, headers=_HEADERS)
        except AnswerTooLarge as error:
            raise WitnessFailed(f"{self.url} answers with {error}, which no proof has.") from error
        except UNREACHABLE as error:
            words = on_one_line(str(error) or type(error).__name__)
            raise WitnessFailed(f"{self.url} cannot be reached: {words}.") from error

    def _refusal(self, answer: Answer) -> WitnessFailed:
        words = on_one_line(answer.body[: 4 * WORDS_SHOWN].decode("utf-8", "replace"))[:WORDS_SHOWN]
        says = f"{self.url} refuses (status {answer.status}{f': {words}' if words else ''})."
        if answer.is_redirect:
            return WitnessRefused(f"{says} Redirects are not followed: set ZHIWEN_OTS_CALENDARS to the final address.")
        return WitnessRefused(says) if answer.status in _LASTING else WitnessFailed(says)


def block_of(proof: ProofTree) -> Block | None:
    """The lowest Bitcoin block that a proof leads to; None while it has promises alone.

    That the block has this Merkle root is not checked: there is no copy of the block chain here.
    """
    found = [
        Block(one.height, message)
        for message, one in proof.attested()
        if isinstance(one, BitcoinBlock) and len(message) == DIGEST_BYTES
    ]
    return min(found, key=lambda block: block.height, default=None)
