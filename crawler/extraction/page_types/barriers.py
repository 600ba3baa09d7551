"""Recognises barriers: a captcha, a log-in, “too many requests” instead of the page. Pure.

Such a page does not say whether the requested page exists.
"""

import re
from typing import Final
from urllib.parse import urlsplit

MOST_READ: Final = 1_600
"""Characters: such a page says it at once."""

_ASKS: Final = re.compile(
    r"""
    验证码 | 人机验证 | 安全验证 | 身份验证 | 环境异常 | 完成验证 | 滑块 | 拖动滑块 | 点击按钮验证
    | (?:访问|请求|操作|浏览)[^\s，。]{0,6}(?:过于频繁|太频繁|过快|次数过多|受限|异常)
    | (?:请|需|需要|须)(?:先|您|要)?(?:登录|登陆|登入|登錄) | (?:登录|登陆|登入|登錄)(?:后|之后|以后|即可|才能|方可)
    | (?:没有|无)(?:访问|查看|阅读|浏览)?权限 | (?:拒绝|禁止|限制)访问 | 访问被(?:拒绝|拦截|阻断)
    | (?:稍后|稍候)(?:再试|重试) | 服务器?(?:繁忙|错误|异常|维护) | 系统(?:繁忙|维护|升级) | 网络不给力 | 打开\s?APP
    | \bcaptcha\b | \bare\ you\ (?:a\ )?(?:human|robot)\b | \bverify(?:ing)?\ (?:that\ )?you\ are\b | \bnot\ a\ robot\b
    | \bunusual\ traffic\b | \btoo\ many\ requests\b | \brate\ limit
    | \baccess\ (?:to\ this\ page\ )?(?:is\ |has\ been\ )?denied\b
    | \bjust\ a\ moment\b | \bchecking\ your\ browser\b | \bplease\ (?:log|sign)\ ?in\b | \b(?:log|sign)\ ?in\ to\b
    | \bservice\ (?:is\ )?(?:temporarily\ )?unavailable\b | \bunder\ maintenance\b | \b403\s+forbidden\b
    | \benable\ (?:javascript|cookies)\b
    """,
    re.I | re.X,
)
_ADDRESS: Final = re.compile(
    r"(?:^|[/._-])(?:captcha|wappoc_appmsgcaptcha|verify|antispider|challenge|log-?in|sign-?in|passport|sso|unhuman)"
    r"(?:$|[/._?-])",
    re.I,
)


def asks_who_is_there(text: str) -> bool:
    """Whether a few lines ask for a captcha or a log-in, or say that the server is busy."""
    return _ASKS.search(text[:MOST_READ]) is not None


def is_barrier_address(url: str) -> bool:
    """Whether the target of a redirect is the address of a log-in or a captcha: `passport.…`, `/login`."""
    parts = urlsplit(url)
    return _ADDRESS.search(f"{parts.hostname or ''}{parts.path}"[:2_000]) is not None
