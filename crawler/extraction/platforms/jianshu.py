"""简书: www.jianshu.com/p/."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

JIANSHU: Final = Platform(
    name="jianshu",
    hosts=("jianshu.com",),
    only=re.compile(r"/p/\w+"),
    link=re.compile(r"(?:^|jianshu\.com)/u/(?P<id>[0-9a-f]{6,20})(?:$|[/?#])"),
    script=(
        re.compile(
            r"""["']user["']\s{0,3}:\s{0,3}\{[^{}]{0,400}["']slug["']\s{0,3}:\s{0,3}["'](?P<id>[0-9a-f]{6,20})["']"""
        ),
    ),
    names=(
        "//section//a[starts-with(@href, '/u/')][normalize-space()]",
        "//*[contains(@class, 'author')]//a[starts-with(@href, '/u/')]",
    ),
    removed=re.compile(r"(?:文章|页面|内容)(?:已被?作者|已被?)?(?:删除|锁定|不存在)|您要找的页面不存在|该文章涉嫌"),
    barred=re.compile(r"访问过于频繁|请完成验证|滑动验证"),
)
