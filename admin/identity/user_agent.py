"""Names of browsers for the list of sessions, from the User-Agent header (pure)."""

from typing import Final

_UNKNOWN: Final = "?"

# The first match counts: each browser pretends to be those below it.
_BROWSERS: Final = (
    ("MicroMessenger/", "WeChat"),
    ("DingTalk/", "DingTalk"),
    ("QQBrowser/", "QQ Browser"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("HuaweiBrowser/", "Huawei Browser"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS: Final = (
    ("HarmonyOS", "HarmonyOS"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """A name such as “Firefox · Windows”; an unknown agent as it calls itself."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return " · ".join(filter(None, (browser, system))) or user_agent or _UNKNOWN
