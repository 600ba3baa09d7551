"""知乎: articles and answers."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

ZHIHU: Final = Platform(
    name="zhihu",
    hosts=("zhihu.com",),
    only=re.compile(r"/p/\d+|/answer/\d+"),
    link=re.compile(r"zhihu\.com/(?:people|org)/(?P<id>[\w-]{1,80})"),
    names=(
        "//*[contains(concat(' ', @class, ' '), ' AuthorInfo ')]/meta[@itemprop='name']/@content",
        "//*[contains(@class, 'AuthorInfo-name')]",
    ),
    removed=re.compile(
        r"""没有知识存在的荒原 | (?:该|此)?(?:文章|回答|内容)(?:已被?作者|已被?)?(?:删除|移除) | 违反(?:知乎)?社区规范
          | 你似乎来到了没有知识""",
        re.VERBOSE,
    ),
    barred=re.compile(
        r"您当前请求存在异常|请求存在异常|安全验证|登录后(?:你可以|即可查看)|系统监测到您的网络环境存在异常"
    ),
)
