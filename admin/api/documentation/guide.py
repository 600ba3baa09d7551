"""The API reference page of the desk, rendered from the OpenAPI document without scripts."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template
from flask_babel import get_locale
from flask_babel import gettext as _

from admin.api.app import openapi
from admin.api.documentation.guide_zh import FIELDS, OPERATIONS
from admin.web.labels import label

_METHODS: Final = ("get", "post", "delete")
_REFERENCE: Final = "#/components/schemas/"

_NEEDS: Final = re.compile(r"Scope `(?P<scope>[\w-]+)`, role `(?P<role>[\w-]+)` or above\.")

blueprint = Blueprint("api_guide", __name__, url_prefix="/api")


@dataclass(frozen=True, slots=True)
class Said:
    """A description in the viewer's language. `language`: of its words; English where it has no translation yet."""

    words: str
    language: str


@blueprint.app_template_filter()
def in_guide(about: str) -> Said:
    """A description of the OpenAPI document for the page; marks of code are left out."""
    if str(get_locale()) == "en" or not about:
        return Said(about.replace("`", ""), "en")
    translated = OPERATIONS.get(about) or FIELDS.get(about)
    return Said(about.replace("`", ""), "en") if translated is None else Said(translated, "zh-CN")


@blueprint.app_template_filter()
def needs_in_words(needs: str) -> str:
    """The scope and the role that an operation needs."""
    found = _NEEDS.fullmatch(needs)
    if found is None:
        return needs
    return str(
        _("Scope %(scope)s, role %(role)s or above.", scope=found["scope"], role=label(found["role"], "account_role"))
    )


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a request or an answer. `kind`: its type, or the name of another schema."""

    name: str
    kind: str
    is_required: bool
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    noun: str
    method: str
    path: str
    about: str
    needs: str
    asked: tuple[Member, ...]
    answer: str
    """Name of the answer's schema; empty where the answer has no body."""


@dataclass(frozen=True, slots=True)
class Guide:
    operations: tuple[Operation, ...]
    shapes: Mapping[str, tuple[Member, ...]]


@blueprint.get("")
def index() -> str:
    return render_template("api/api_guide.html", guide=guide_of(openapi()))


def guide_of(document: Mapping[str, Any]) -> Guide:
    """The OpenAPI document as the page shows it (pure)."""
    shapes = document["components"]["schemas"]
    return Guide(tuple(_operations(document)), {name: tuple(_members(shape)) for name, shape in sorted(shapes.items())})


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    shapes = document["components"]["schemas"]
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method not in item:
                continue
            said = item[method]
            about, _gap, needs = said["description"].partition("\n\n")
            parameters = [*item.get("parameters", ()), *said.get("parameters", ())]
            body = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            members = [_parameter(one) for one in parameters] + (
                list(_members(_resolved(body, shapes))) if body else []
            )
            yield Operation(said["tags"][0], method.upper(), path, about, needs, tuple(members), _answer(said))


def _parameter(said: Mapping[str, Any]) -> Member:
    is_required = said.get("required", False)
    return Member(said["name"], _kind(said["schema"]), is_required, said.get("description", ""))


def _answer(said: Mapping[str, Any]) -> str:
    for status, answer in said["responses"].items():
        if status.startswith("2") and "content" in answer:
            media_type, body = next(iter(answer["content"].items()))
            return _kind(body["schema"]) if media_type == "application/json" else f"`{media_type}`"
    return ""


def _members(shape: Mapping[str, Any]) -> Iterator[Member]:
    required = shape.get("required", ())
    for name, said in shape.get("properties", {}).items():
        yield Member(name, _kind(said), name in required, said.get("description", ""))


def _resolved(schema: Mapping[str, Any], shapes: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = shapes[_kind(schema)] if "$ref" in schema else schema
    return found


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a schema, its allowed values, or the name of the schema it refers to."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    for several in ("allOf", "anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_kind(one) for one in schema[several])
    if "enum" in schema:
        return " | ".join("null" if value is None else str(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_kind(schema['items'])}]"
    ends = " | null" if schema.get("nullable") else ""
    return str(schema.get("format") or schema.get("type", "object")) + ends
