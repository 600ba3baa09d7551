"""Larger request bounds for upload forms, for users who may upload."""

from collections.abc import Collection
from typing import Final

from flask import Blueprint, request

from admin.identity.permissions import may
from storage.types import AccountRole

LARGEST_UPLOAD: Final = 200_000_000
"""In bytes: largest request with files for import. Larger files go into the import folder or through the command line;
other forms have a far lower bound.
"""


def allow(
    blueprint: Blueprint,
    endpoints: Collection[str],
    role: AccountRole,
    *,
    most_bytes: int,
    most_in_fields: int | None = None,
) -> None:
    """Raise the bound of requests to `endpoints` for users with `role`, before anything reads the form.

    `most_in_fields`: bytes of the fields that are no files.
    """

    def raise_bound(endpoint: str | None, _values: dict[str, object] | None) -> None:
        if endpoint in endpoints and may(role):
            request.max_content_length = most_bytes
            if most_in_fields is not None:
                request.max_form_memory_size = most_in_fields

    # Runs before the first hook that reads a form: the CSRF check.
    blueprint.app_url_value_preprocessor(raise_bound)
