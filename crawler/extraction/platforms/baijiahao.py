"""百家号: baijiahao.baidu.com."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

BAIJIAHAO: Final = Platform(
    name="baijiahao",
    hosts=("baijiahao.baidu.com", "mbd.baidu.com"),
    only=re.compile(r"[?&]id=\d{5,}|/landingshare|/builder/"),
    link=re.compile(r"author\.baidu\.com/home(?:/|\?(?:[^#]{0,200}&)?app_id=)(?P<id>\d{8,25})"),
    script=(re.compile(r"""["']app_?id["']\s{0,3}:\s{0,3}["']?(?P<id>\d{12,25})""", re.IGNORECASE),),
    names=("//a[contains(@href, 'author.baidu.com/home')]", "//*[contains(@class, 'author-name')]"),
    removed=re.compile(r"该?(?:文章|内容)(?:已被?作者|已被?)?(?:删除|下线|下架)|(?:文章|内容)不存在|原文已删除"),
    barred=re.compile(r"百度安全验证|网络不给力，请稍后重试|请完成下方验证"),
)
