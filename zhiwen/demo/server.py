"""Serves the demo's three sites on loopback, as a process of its own: `python -m zhiwen.demo.server`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial

from crawler.network.loopback_server import Answer, LoopbackServer, etag_of, serve_until_input_ends, served_by
from zhiwen.demo.model import DemoSite
from zhiwen.demo.sites import SITE_NAMES, build_sites

# A host of its own for each site: the host alone identifies the site. macOS has only the first; there ports differ.
HOSTS = {"original": "127.0.0.1", "copier": "127.0.0.2", "innocent": "127.0.0.3"}


def serving() -> AbstractContextManager[Mapping[str, str]]:
    """Runs the sites in a child process while the block lasts; yields name to address. Raises ServerNotStarted."""
    return served_by(__name__)


def bind(host: str) -> LoopbackServer:
    try:
        return LoopbackServer(host)
    except OSError:
        return LoopbackServer()


def answer(site: DemoSite, path: str) -> Answer | None:
    page = site.pages.get(path)
    return None if page is None else Answer(page.body, page.content_type, etag_of(page.body), page.modified)


def main() -> None:
    servers = {name: bind(HOSTS[name]) for name in SITE_NAMES}
    for site in build_sites({name: server.address for name, server in servers.items()}):
        servers[site.name].answers = partial(answer, site)
    serve_until_input_ends(servers)


if __name__ == "__main__":
    main()
