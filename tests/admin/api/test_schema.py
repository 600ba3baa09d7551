"""Property tests of the running server against its OpenAPI document, with valid and invalid requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import positive_data_acceptance
from schemathesis.core.result import Ok
from sqlalchemy import Engine

from storage.accounts.api_tokens import MOST_PER_MINUTE, TokenScope
from storage.types import AccountRole
from tests.browser.desk_process import desk_process
from tests.support.api_tokens import bearer, token_of
from tests.support.cases import store_case
from tests.support.desk_client import add_person

EXAMPLES = 5
"""Of each operation and kind, the same ones at every run: what they find does not depend on the day."""

REPEATABLE = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Server:
    schema: schemathesis.BaseSchema
    headers: dict[str, str]


@pytest.fixture
def server(engine: Engine, clean_database_url: str) -> Iterator[Server]:
    """One with something of each kind, asked by somebody who may do everything."""
    store_case(engine)
    account = add_person(engine, role=AccountRole.ADMINISTRATOR)
    token = token_of(engine, account, frozenset(TokenScope), per_minute=MOST_PER_MINUTE)
    with desk_process(clean_database_url) as (address, _process):
        yield Server(schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json"), bearer(token))


def test_no_answer_is_an_error_of_ours_or_differs_from_the_document(server: Server) -> None:
    asked = 0
    with requests.Session() as session:
        for found in server.schema.get_all_operations():
            assert isinstance(found, Ok), found
            operation = found.ok()
            for mode in schemathesis.GenerationMode:

                @REPEATABLE
                @given(case=operation.as_strategy(generation_mode=mode))
                def ask(case: schemathesis.Case[Any]) -> None:
                    nonlocal asked
                    asked += 1
                    # What the document allows may still be refused for what it says: a text that is too short.
                    case.call_and_validate(
                        session=session, headers=server.headers, excluded_checks=[positive_data_acceptance]
                    )

                ask()

    assert asked >= 2 * EXAMPLES
