"""搜狐号: www.sohu.com/a/<article>_<account>."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

SOHU: Final = Platform(
    name="sohu",
    hosts=("sohu.com",),
    only=re.compile(r"/a/\d+"),
    address=re.compile(r"/a/\d{5,15}_(?P<id>\d{3,12})(?:$|[/?#])"),
    link=re.compile(r"mp\.sohu\.com/profile\?(?:[^#]{0,200}&)?xpt=(?P<id>[A-Za-z0-9+/=%_-]{6,120})"),
    names=(
        "//meta[@name='mediaid']/@content",
        "//*[@id='user-info']//h4",
        "//a[contains(@href, 'mp.sohu.com/profile')]",
    ),
    removed=re.compile(
        r"(?:文章|内容|页面)(?:已被?作者|已被?)?(?:删除|下线)|您?访问的(?:文章|页面)不存在|此文章已删除"
    ),
    barred=re.compile(r"访问过于频繁|请输入验证码"),
)
