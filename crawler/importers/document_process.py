"""Reads documents in a child process that is bounded in time and memory."""

import json
import os
import resource
import subprocess
import sys
from dataclasses import asdict
from typing import Final

from crawler.importers.documents import MAX_DOCUMENT_BYTES, Document, Unread, read_document

DEADLINE_S: Final = 40.0
"""For one document, the start of the child included: two seconds, on a busy machine many."""
CPU_S: Final = 30
MEMORY_BYTES: Final = 2_000_000_000
"""Address space. Libraries take 600 MB of it."""


def read_in_child(
    data: bytes, *, url: str = "", is_fragment: bool = False, deadline_s: float = DEADLINE_S
) -> Document | Unread:
    """As `read_document`; a document that takes too long or crashes its reader is refused for that reason."""
    if len(data) > MAX_DOCUMENT_BYTES:
        return Unread.TOO_LARGE
    order = json.dumps({"url": url, "is_fragment": is_fragment}).encode()
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "crawler.importers.document_process"],
            input=order + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=deadline_s,
            check=False,
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return Unread.DEADLINE
    except ValueError:
        return Unread.DIED
    return Unread(answer["unread"]) if "unread" in answer else Document(**answer)


def main() -> None:
    """The child: an order and a document in, an answer out."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    order = json.loads(sys.stdin.buffer.readline())
    # Output of a library must not mix with the answer.
    answer_to, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: PTH123, SIM115  # for the life of the child
    try:
        found = read_document(sys.stdin.buffer.read(), url=order["url"], is_fragment=order["is_fragment"])
    except (RecursionError, MemoryError):
        found = Unread.DIED
    json.dump({"unread": found} if isinstance(found, Unread) else asdict(found), answer_to)


if __name__ == "__main__":
    main()
