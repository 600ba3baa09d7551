"""The demo's three web sites, as pages in memory."""

from collections.abc import Mapping

from zhiwen.demo.blog import build_blog
from zhiwen.demo.copier import build_copier
from zhiwen.demo.model import DemoSite
from zhiwen.demo.portal import build_portal

SITE_NAMES = ("original", "copier", "innocent")


def build_sites(addresses: Mapping[str, str]) -> tuple[DemoSite, ...]:
    """The three sites. `addresses` gives each name of SITE_NAMES its address, such as `http://127.0.0.1:8001`."""
    missing = [name for name in SITE_NAMES if name not in addresses]
    if missing:
        raise ValueError(f"no address for the demo site {', '.join(missing)}: give one for each of {SITE_NAMES}")
    return build_portal(addresses), build_copier(addresses), build_blog(addresses)
