"""Parameters of an address that say who came, or how the page is to look, and not which page it is. Pure."""

import re
from typing import Final

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
"""What turns a page into its version for print or for phones: without it the same address shows the page."""

_SHARED_FROM: Final = frozenset({"from"})
"""`from` names who shared a link (from=timeline) on most Chinese sites, but a position (from=20) on some lists."""


def says_nothing(parameter: str) -> bool:
    """Whether a parameter names who came, or how the page is to look, and not which page it is."""
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
