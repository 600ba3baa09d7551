"""Whether a browser shows the page that it was to open, and not another that it was led to."""

from typing import Final
from urllib.parse import urlsplit

from crawler.browser.child_process import NotMade
from crawler.browser.guarded_proxy import GuardedProxy
from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import canonical_url, identity_of

_ERROR: Final = "chrome-error:"


def require_at(url: str, shown: str, proxy: GuardedProxy) -> None:
    """Raises NotMade if `shown` is another page than `url`.

    A browser's own page of an error has another address than the one that it was to open, or a blocked host.
    """
    if urlsplit(shown).hostname in proxy.blocked:
        raise blocked(proxy)
    try:
        is_the_page = identity_of(canonical_url(shown)) == identity_of(canonical_url(url))
    except UnusableUrl:
        is_the_page = False
    if not is_the_page:
        is_error = shown.startswith(_ERROR)
        if is_error and proxy.blocked:
            raise blocked(proxy)
        raise NotMade("the browser shows an error" if is_error else f"the page leads the browser to {shown[:200]}")


def blocked(proxy: GuardedProxy) -> NotMade:
    return NotMade(f"the guard does not let the browser to {proxy.blocked[0]}")
