"""Forms that bring files: larger than others, for those alone who may send them."""

from collections.abc import Collection
from typing import Final

from flask import Blueprint, request

from admin.identity.permissions import may
from storage.types import AccountRole

LARGEST_UPLOAD: Final = 200_000_000
"""Bytes of a request, whoever sends it: files that are imported. Larger ones are laid into the folder that is offered,
or imported on the command line; every other form is bounded far below.
"""


def allow(
    blueprint: Blueprint,
    endpoints: Collection[str],
    role: AccountRole,
    *,
    most_bytes: int,
    most_in_fields: int | None = None,
) -> None:
    """Raises the bound of a request to these endpoints, before anything reads its form, for people who have `role`.
    `most_in_fields`: bytes of what is no file.
    """

    def raise_bound(endpoint: str | None, _values: dict[str, object] | None) -> None:
        if endpoint in endpoints and may(role):
            request.max_content_length = most_bytes
            if most_in_fields is not None:
                request.max_form_memory_size = most_in_fields

    # Runs before the first hook that reads a form: the one that looks for its token.
    blueprint.app_url_value_preprocessor(raise_bound)
