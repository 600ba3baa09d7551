"""Canonical addresses: one spelling for each page. Pure."""

import ipaddress
import posixpath
import re
from functools import lru_cache
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from xxhash import xxh3_64_intdigest

from crawler.outcomes.errors import UnusableUrl

MAX_URL_LENGTH: Final = 2_000
"""Longer addresses are traps or attacks; browsers and search engines stop near here too."""
KEPT_LINKS: Final = 1_024
"""Links that are remembered: several parts of the extraction look at those of one page."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_SCHEMES: Final = frozenset(_DEFAULT_PORTS)

_IMPORTED: Final = "import"
_OF_FILES: Final = frozenset({"file", _IMPORTED})

_SESSION_PATH: Final = re.compile(r";jsessionid=[^/;]*", re.I)

_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE_IN_PATH: Final = "%/:@!$&'()*+,;=-._~"
_SAFE_IN_QUERY: Final = _SAFE_IN_PATH + "?"

_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_CONTROLS_INSIDE: Final = re.compile(r"[\t\r\n\x00]")
"""Browsers drop them anywhere in an address."""
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_INDEX_PAGE: Final = re.compile(r"(?<=/)(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.I)
_COUNTED: Final = re.compile(r"[0-9a-f]{16,}|\d+", re.I)
"""Numbers, and long hexadecimal names."""
_PLAIN_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){1,8}")
_PLAIN_LINK: Final = re.compile(
    r"(?P<origin>https?://(?P<host>[a-z0-9.-]+))?(?P<path>(?:/(?![./])[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)*/?)(?:#[\w-]*)?",
    re.ASCII,
)
"""An absolute address, or a path from the root, of which nothing has to be resolved, encoded or left out."""
_HOST: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_.\-]*[a-z0-9_])?")

# Parameters that name the visitor or the presentation, and not the page.
_TRACKING_PREFIXES: Final = ("utm_", "spm_", "mtm_", "pk_", "hmsr", "hmpl", "hmcu", "hmkw", "hmci")
_TRACKING_NAMES_TEXT: Final = """
    spm scm from_source share_source share_medium share_token share_from share_tag share_plat share_session_id
    isappinstalled nsukey weibo_id wfr fr_source vd_source bd_vid ref_src ref_url gclid gbraid wbraid dclid fbclid
    msclkid yclid twclid igshid mc_cid mc_eid _hsenc _hsmi _ga timestamp_share
"""
_TRACKING_NAMES: Final = frozenset(_TRACKING_NAMES_TEXT.split())
_SESSION_NAMES: Final = frozenset("phpsessid jsessionid sessionid session_id cfid cftoken zenid osCsid".lower().split())
_SESSION_PREFIXES: Final = ("aspsessionid",)
_SID: Final = re.compile(r"(?:sid|s)=[0-9a-f]{32}", re.I)
"""`sid` and `s` name sessions on forums, and sections elsewhere: only a hash is a session."""

_TWIN_NAMES: Final = frozenset({"amp", "_amp", "print", "printable", "printview", "printer"})
_TWIN_PARAMETERS: Final = re.compile(
    r"(?:view|mode|action|format|layout|style|version|outputtype)=(?:amp|print|printable|printer|printview)", re.I
)
"""Parameters for print and phone versions: without them the same address shows the page."""

_SHARED_FROM: Final = frozenset({"from"})
"""`from` names who shared a link (from=timeline) on most Chinese sites, but a position (from=20) on some lists."""


def canonical_url(url: str) -> str:
    """The one spelling under which a page is stored.

    Scheme and host in lower case, IDN in its ASCII form, no default port, credentials or fragment; dot segments
    resolved, percent-encoding normalised, parameters dropped that do not select the page. The order of the others
    is kept: it matters on some sites. Raises UnusableUrl.
    """
    cleaned = _CONTROLS_INSIDE.sub("", url.strip())
    try:
        parts = urlsplit(cleaned.replace("\\", "/", 3) if cleaned[:8].count("\\") else cleaned)
        scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
    except ValueError as error:
        raise UnusableUrl(url, str(error)) from error
    if scheme in _OF_FILES:
        return f"{scheme}://{_path(parts.path)}"
    if scheme not in _SCHEMES:
        raise UnusableUrl(url, "it does not begin with http:// or https://")
    shown_port = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    query = _query(parts.query)
    return f"{scheme}://{_host(host, url)}{shown_port}{_path(parts.path)}" + (f"?{query}" if query else "")


def web_url(url: str) -> str:
    """The canonical form of an untrusted address. Raises UnusableUrl if it is not on the web."""
    found = canonical_url(url)
    if not found.startswith(("http://", "https://")):
        # An imported file has an address, too, which cannot be crawled.
        raise UnusableUrl(url, "it does not begin with http:// or https://")
    return found


@lru_cache(maxsize=KEPT_LINKS)
def joined_url(base: str, link: str) -> str | None:
    """The canonical form of a link found on a page, or None if it leads to no page (mailto:, #top, broken)."""
    stripped = link.strip()
    plain = _plain_link(base, stripped)
    if plain is not None:
        return plain
    if not stripped or stripped[0] == "#" or len(stripped) > MAX_URL_LENGTH:
        return None
    scheme = _SCHEME.match(stripped)
    if scheme and scheme[0][:-1].lower() not in _SCHEMES:
        return None
    try:
        return canonical_url(urljoin(base, stripped))
    except (UnusableUrl, ValueError):
        return None


def _plain_link(base: str, link: str) -> str | None:
    """What the general way makes of a link of which nothing is to be resolved, in a tenth of the time; None if
    something is.
    """
    found = _PLAIN_LINK.fullmatch(link)
    if found is None or len(link) > MAX_URL_LENGTH:
        return None
    origin, host, path = found.groups()
    if origin:
        return f"{origin}{path or '/'}" if _PLAIN_HOST.fullmatch(host) else None
    site = _origin(base) if path else None
    return f"{site}{path}" if site else None


@lru_cache(maxsize=16)
def _origin(base: str) -> str | None:
    """Scheme, host and port of a page on the web."""
    try:
        return web_url(urljoin(base, "/")).removesuffix("/")
    except (UnusableUrl, ValueError):
        return None


def identity_of(url: str) -> int:
    """One number, of 64 bits, for all spellings under which a site serves one page.

    Of a canonical URL: http or https, with or without www., a slash or index.html at the end, and the order of
    parameters make no difference. The page is still requested as it was spelled first.
    """
    parts = urlsplit(url)
    path = _INDEX_PAGE.sub("", parts.path).rstrip("/")
    query = "&".join(sorted(parts.query.split("&")))
    return xxh3_64_intdigest(f"{parts.netloc.removeprefix('www.')}{path}?{query}".encode())


def shape_of(url: str) -> str:
    """The shape that addresses generated by a counter share: numbers as 0, parameters without values."""
    parts = urlsplit(url)
    names = sorted({part.partition("=")[0] for part in parts.query.split("&") if part})
    path = _COUNTED.sub("0", parts.path)
    return f"{parts.netloc}{path}" + (f"?{'&'.join(names)}" if names else "")


def host_of(url: str) -> str:
    """Host, with its port if that is not the default of the scheme: another port is another host."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def _host(host: str, url: str) -> str:
    if _PLAIN_HOST.fullmatch(host):
        return host  # what the code below makes of it, too, in a tenth of the time
    if ":" in host:
        try:
            return f"[{ipaddress.IPv6Address(host)}]"
        except ValueError as error:
            raise UnusableUrl(url, "its host is not an IPv6 address") from error
    try:
        ascii_host = host.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise UnusableUrl(url, "its host is not a valid name") from error
    if not _HOST.fullmatch(ascii_host):
        raise UnusableUrl(url, "its host is not a valid name" if host else "it has no host")
    return ascii_host


def _path(path: str) -> str:
    encoded = _normalised_escapes(_SESSION_PATH.sub("", path.replace("\\", "/")), _SAFE_IN_PATH)
    if "/." not in encoded:
        return encoded or "/"
    resolved = posixpath.normpath(encoded)
    # normpath drops the last slash and keeps a doubled first one.
    ends_with_slash = encoded.endswith(("/", "/.", "/.."))
    return "/" + resolved.strip("/") + ("/" if ends_with_slash and resolved.strip("/") else "")


def _query(query: str) -> str:
    # Once each: some links repeat a parameter each time they are followed.
    kept = dict.fromkeys(part for part in query.split("&") if part and not _says_nothing(part))
    return _normalised_escapes("&".join(kept), _SAFE_IN_QUERY)


def _says_nothing(parameter: str) -> bool:
    """Whether a parameter identifies the visitor or the presentation instead of the page."""
    name = parameter.partition("=")[0].lower()
    if name in _SESSION_NAMES or name.startswith(_SESSION_PREFIXES) or _SID.fullmatch(parameter):
        return True
    return name in _TWIN_NAMES or _TWIN_PARAMETERS.fullmatch(parameter) is not None or _is_tracking(parameter)


def _is_tracking(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in _SHARED_FROM:
        return not value.isdigit()
    return name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES)


def _normalised_escapes(part: str, safe: str) -> str:
    def respelled(escape: re.Match[str]) -> str:
        byte = int(escape[1], 16)
        return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"

    return quote(_ESCAPE.sub(respelled, _STRAY_PERCENT.sub("%25", part)), safe=safe, errors="replace")


def file_url(path: str) -> str:
    """The canonical URL of a local file, for articles imported from disk."""
    return canonical_url("file://" + quote(path, errors="replace"))


def import_url(path: str) -> str:
    """The canonical URL of an uploaded file: it does not reveal where the server keeps its files."""
    return canonical_url(f"{_IMPORTED}:///" + quote(path.lstrip("/"), errors="replace"))
