"""The addresses of the servers that answered captures."""

import json
from collections import Counter
from collections.abc import Collection
from typing import Final

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from storage.models.evidence import Evidence
from storage.postgres.text import storable
from storage.records.evidence import EvidenceKind

MOST_ADDRESSES: Final = 5


def servers_of(session: Session, urls: Collection[str]) -> list[str]:
    """The IP addresses that answered the newest capture of each of these pages, most frequent first, at most
    `MOST_ADDRESSES`. Behind a delivery network they are that network's. Pages without a capture have none.
    """
    known = sorted({storable(url) for url in urls})
    newest = (
        select(Evidence.body)
        .where(Evidence.url.in_(known), Evidence.kind == EvidenceKind.CAPTURED)
        .ext(distinct_on(Evidence.url))
        .order_by(Evidence.url, Evidence.number.desc())
    )
    answered = (json.loads(body).get("peer") for body in session.scalars(newest))
    return [address for address, _ in Counter(one for one in answered if one).most_common(MOST_ADDRESSES)]
