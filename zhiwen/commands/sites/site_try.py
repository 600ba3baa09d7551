"""`site try`: reads one page as a crawl of its site would, and shows what was made of it."""

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
from zhiwen.output.terminal import FAILED, fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from crawler.extraction.extract import Article
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
    help="Read it by the rule in this JSON file, not by the site's.",
)
@click.option("--save", is_flag=True, help="Make the rule of --rule the site's, if an article is found by it.")
@click.option("--text", "whole", is_flag=True, help="Print the article's text, and nothing else on stdout.")
@json_option
@click.pass_context
@reporting_errors
def try_page(
    context: click.Context, *, name: str, url: str, rule_file: Path | None, save: bool, whole: bool, as_json: bool
) -> None:
    """Read one page of a site and show what was found; store nothing."""
    if save and rule_file is None:
        raise click.UsageError("--save needs a rule: give one with --rule FILE.")
    from crawler.browser.availability import what_is_missing  # noqa: PLC0415  # the crawler is loaded only where needed
    from crawler.extraction.site_rule import ExtractionRule  # noqa: PLC0415
    from crawler.fetch.fetch import fetch  # noqa: PLC0415
    from crawler.outcomes.errors import BadRule, BrowserMissing  # noqa: PLC0415
    from zhiwen.preview.page_preview import read_by_rule  # noqa: PLC0415

    with store() as (settings, engine):
        with transaction(engine) as session:
            site = sites.get_site(session, name)
        stated = site.settings.extraction_rule if rule_file is None else _rule_in(rule_file)
        try:
            rule = ExtractionRule.of(stated or {})
        except BadRule as error:
            fail(str(error))
        in_browser = site.settings.browser
        missing = what_is_missing() if in_browser else None
        if missing is not None:
            fail(str(BrowserMissing(name, missing)))
        get = partial(
            fetch, allowed_networks=settings.allowed_networks, user_agent=settings.user_agent, in_browser=in_browser
        )
        found, parts = read_by_rule(url, get=get, rule=rule, time_zone=site.settings.time_zone)
        shape = _shape(found, parts, url=url)
        _show(shape, whole=whole, as_json=as_json)
        if shape["refusal"]:
            context.exit(FAILED)
        if save:
            with transaction(engine) as session:
                sites.edit_site(session, name, replace(site.settings, extraction_rule=stated))
            say(f"{name} is read by this rule from now on.")


def _rule_in(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            stated = json.loads(file.read(LONGEST_RULE + 1).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        fail(f"{path} holds no rule: it is not JSON ({error}).")
    if not isinstance(stated, dict):
        fail(f"{path} holds no rule: it is not a JSON object.")
    return stated


def _shape(found: "Article | Refusal", parts: int, *, url: str) -> dict[str, Any]:
    from crawler.extraction.metadata.rights import agency_credited  # noqa: PLC0415
    from crawler.outcomes.refusal_words import in_words  # noqa: PLC0415
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415

    if isinstance(found, Refusal):
        return {"url": url, "refusal": found.value, "because": in_words(found)}
    return {
        "url": url,
        "refusal": None,
        "title": found.title,
        "author": found.author,
        "published_at": found.declared.at,
        "precision": found.declared.precision.value,
        "origin": found.declared.origin.value,
        "language": found.language,
        "chars": len(found.text),
        "parts": parts,
        "agency": agency_credited(found.credit_lines, found.text),
        "credit_lines": found.credit_lines,
        "credit_links": found.credit_links,
        "canonical_link": found.canonical_link,
        "lead_image": found.lead_image,
        "text": found.text,
    }


def _show(shape: Mapping[str, Any], *, whole: bool, as_json: bool) -> None:
    if as_json:
        print_json(shape)
    elif shape["refusal"]:
        say(f"{shape['url']} gives no article: {shape['because']} ({shape['refusal']}).")
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
