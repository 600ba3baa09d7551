"""`discover`: copies on the open web, by search services."""

import getpass
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click

from crawler.urls.canonical import host_of
from storage.engine import transaction
from storage.types import HostDecision
from storage.web_search import finds
from zhiwen.output.number_types import ROWS
from zhiwen.output.progress import bar, stopped_by_signals
from zhiwen.output.terminal import fail, json_option, print_json, print_records, say, store, store_session

if TYPE_CHECKING:
    from storage.records.web_search import ProposedHost
    from zhiwen.web_search.counts import DiscoveryCounts

DEFAULT: Final = "articles"
HELP: Final = ("-h", "--help")
HOW_TO_BEGIN: Final = """No search service is set up, so nothing is asked. Name one in {path}, for example:

  [services.own]
  kind = "searxng"
  url = "http://127.0.0.1:8888/"
  queries_a_day = 200

Phrases of published articles of yours are then sent to it. See docs/discovery.md"""


class _WithDefault(click.Group):
    """A group whose first command needs no name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_named = bool(args) and (args[0] in self.commands or args[0] in HELP)
        return super().parse_args(ctx, args if is_named else [DEFAULT, *args])


@click.group(cls=_WithDefault)
def discover() -> None:
    """Find copies on the open web by search services, and sites that have them.

    Without a command: articles.
    """


@discover.command(DEFAULT)
@click.argument("what", metavar="[SITE|URL]", required=False)
@click.option("--articles", type=ROWS, default=100, help="Most articles to ask about.")
@json_option
def articles_(what: str | None, *, articles: int, as_json: bool) -> None:
    """Ask search services for phrases of articles that are due, and fetch, compare and store the copies they return.

    Of a site, of all your sites, or the article at a URL, due or not. It can be interrupted at any time: the next run
    goes on, and no query is sent twice.
    """
    from zhiwen.web_search.discovery import discover as search  # noqa: PLC0415  # loads the dictionaries
    from zhiwen.web_search.opening import opened_fetcher  # noqa: PLC0415
    from zhiwen.web_search.plan_file import plan_of, plan_path  # noqa: PLC0415

    is_url = what is not None and what.startswith(("http://", "https://"))
    stop = stopped_by_signals()
    with store() as (settings, engine):
        plan = plan_of(settings)
        if not plan.services:
            fail(HOW_TO_BEGIN.format(path=plan_path(settings)))
        with opened_fetcher(settings, engine) as fetcher, bar("asking", 1 if is_url else articles) as shown:
            done = search(
                engine,
                plan,
                fetcher,
                site=None if is_url else what,
                url=what if is_url else None,
                articles=articles,
                should_stop=stop.is_set,
                progress=lambda counts: shown(counts.articles),
            )
    if as_json:
        print_json(done.as_object())
    _tell(done)
    if stop.is_set():
        raise click.Abort


def _tell(done: "DiscoveryCounts") -> None:
    fetched = done.fetches
    say(
        f"Asked about {done.articles} articles: {done.queries} queries, {done.results} results, "
        f"{fetched.fetched} pages fetched, {fetched.copies} copies, {done.cases} cases."
    )
    if fetched.passages:
        say(f"  {fetched.passages} pages share a passage only: look at them first, under Cases → Shared passages.")
    for what, counted in (("left out", done.left_out), ("refused", fetched.refused), ("not asked", done.unasked)):
        if counted:
            say(f"  {what}: {_listed(counted)}")
    if done.not_published:
        say(f"  {done.not_published} pages do not answer a stranger with an article: nothing was sent about them.")
    if done.no_answer:
        say(f"  {done.no_answer} pages of yours could not be reached; they stay due.")
    if fetched.failures:
        say(f"  could not be judged or stored, see above: {_listed(fetched.failures)}")
    for problem in done.problems.values():
        say(f"  {problem}")
    if done.is_dry:
        say("No service can be asked any more for now: budgets are used up, or they rest. The next run goes on.")
    if done.proposed_hosts:
        say(f"{done.proposed_hosts} hosts with copies belong to no site. List them with: zhiwen discover hosts")


def _listed(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(counted.items()))


@discover.command()
@click.option("--limit", type=ROWS, default=100, help="Most hosts to list.")
@json_option
def hosts(*, limit: int, as_json: bool) -> None:
    """List hosts on which copies were found and that belong to no site, those with most copies first."""
    with store_session() as session:
        found = finds.proposed_hosts(session, limit=limit)
    print_records(found, ("host", "your articles", "copies", "last found", "example"), _row, as_json=as_json)
    if not found and not as_json:
        say("There is none. Ask search services with: zhiwen discover")


def _row(one: "ProposedHost") -> tuple[object, ...]:
    return one.host, one.articles, one.copies, f"{one.last_found_at:%Y-%m-%d %H:%M}", one.example


@discover.command()
@click.argument("host")
@click.option("--name", help="Name of the site; its host by default.")
@click.option("--yes", is_flag=True, help="Add it without asking.")
def watch(host: str, *, name: str | None, yes: bool) -> None:
    """Add a host as a site that is searched for copies, with the settings that `site add` proposes."""
    from zhiwen.commands.sites.site import add_proposed  # noqa: PLC0415  # only where needed

    with store() as (settings, engine):
        with transaction(engine) as session:
            found = finds.find_on(session, _bare(host))
        added = add_proposed(settings, engine, _front_page(host, found), {"name": name} if name else {}, yes=yes)
        with transaction(engine) as session:
            finds.decide_host(session, _bare(host), HostDecision.WATCHED, by=getpass.getuser())
    say(f"Added {added.name}. Crawl it now with: zhiwen crawl {added.name}")


@discover.command()
@click.argument("host")
def ignore(host: str) -> None:
    """Leave a host out for good: it is not proposed again, and its pages are not fetched."""
    if not _bare(host):
        fail(f"{host} is no host, like copier.example.net")
    with store_session() as session:
        finds.decide_host(session, _bare(host), HostDecision.IGNORED, by=getpass.getuser())
    say(f"{_bare(host)} is ignored.")


def _bare(host: str) -> str:
    """The host of an address, or the host as given."""
    return host_of(host if "://" in host else f"https://{host}")


def _front_page(host: str, found: str | None) -> str:
    """The address of a host's front page, by the scheme of what was found on it."""
    scheme = "https" if found is None else urlsplit(found).scheme
    return f"{scheme}://{_bare(host)}/"
