"""`site try`: reads one page as a crawl of its site would, and shows the result."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from storage.engine import transaction
from storage.sites import sites
from zhiwen.output.control_characters import harmless
from zhiwen.output.terminal import FAILED, fail, json_option, print_json, print_table, say, store
from zhiwen.wiring import fetch_page

if TYPE_CHECKING:
    from crawler.extraction.article import Article
    from crawler.outcomes.refusals import Refusal

SHOWN: Final = 160
"""Characters of the text's beginning and end."""
LONGEST_RULE: Final = 100_000
"""Bytes of a file with a rule."""


@click.command("try")
@click.argument("name")
@click.argument("url")
@click.option(
    "--rule",
    "rule_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read it by the extraction rule in this JSON file, not by the site's.",
)
@click.option("--save", is_flag=True, help="Store the rule of --rule for the site if it finds an article.")
@click.option("--text", "whole", is_flag=True, help="Print the article's text and nothing else on stdout.")
@json_option
@click.pass_context
def try_page(
    context: click.Context, *, name: str, url: str, rule_file: Path | None, save: bool, whole: bool, as_json: bool
) -> None:
    """Read one page of a site and show the extracted article; store nothing."""
    if save and rule_file is None:
        raise click.UsageError("--save needs a rule: give one with --rule FILE.")
    from crawler.browser.availability import what_is_missing  # noqa: PLC0415  # loads the crawler
    from crawler.extraction.site_rule import ExtractionRule  # noqa: PLC0415
    from crawler.outcomes.errors import BrowserMissing  # noqa: PLC0415
    from zhiwen.preview.page_preview import read_by_rule  # noqa: PLC0415

    with store() as (settings, engine):
        with transaction(engine) as session:
            site = sites.get_site(session, name)
        stated = site.settings.extraction_rule if rule_file is None else _rule_in(rule_file)
        rule = ExtractionRule.of(stated or {})
        in_browser = site.settings.browser
        missing = what_is_missing() if in_browser else None
        if missing is not None:
            raise BrowserMissing(name, missing)
        get = partial(fetch_page, settings, in_browser=in_browser)
        found, parts = read_by_rule(url, get=get, rule=rule, time_zone=site.settings.time_zone)
        shape = _shape(found, parts, url=url)
        _show(shape, whole=whole, as_json=as_json)
        if shape["refusal"]:
            context.exit(FAILED)
        if save:
            with transaction(engine) as session:
                sites.edit_site(session, name, replace(site.settings, extraction_rule=stated))
            say(f"Stored this rule for {name}.")


def _rule_in(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            stated = json.loads(file.read(LONGEST_RULE + 1).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        fail(f"{path} is not JSON ({error}). Write an extraction rule as a JSON object.")
    if not isinstance(stated, dict):
        fail(f"{path} is not a JSON object. Write an extraction rule as one.")
    return stated


def _shape(found: "Article | Refusal", parts: int, *, url: str) -> dict[str, Any]:
    from crawler.outcomes.refusal_words import in_words  # noqa: PLC0415
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415
    from zhiwen.preview.page_preview import article_facts  # noqa: PLC0415

    if isinstance(found, Refusal):
        return {"url": url, "refusal": found.value, "because": in_words(found)}
    return {
        "url": url,
        "refusal": None,
        **article_facts(found, parts),
        "credit_links": found.credit_links,
        "canonical_link": found.canonical_link,
        "lead_image": found.lead_image,
        "text": found.text,
    }


def _show(shape: Mapping[str, Any], *, whole: bool, as_json: bool) -> None:
    if as_json:
        print_json(shape)
    elif shape["refusal"]:
        say(f"{shape['url']} holds no article: {shape['because']} ({shape['refusal']}).")
    elif whole:
        click.echo(harmless(shape["text"]).encode())
    else:
        text = shape["text"]
        shown = {key: value for key, value in shape.items() if key not in ("refusal", "text")}
        shown |= {"begins": text[:SHOWN], "ends": text[-SHOWN:]}
        rows = [(key.replace("_", " "), _line(value)) for key, value in shown.items()]
        print_table(("found", "value"), [row for row in rows if row[1]])


def _line(value: object) -> str:
    listed = value if isinstance(value, tuple) else (value,)
    return " | ".join(" ".join(str(one).split()) for one in listed if one not in (None, ""))
