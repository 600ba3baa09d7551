"""网易号: www.163.com/dy/article/."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

NETEASE: Final = Platform(
    name="netease",
    hosts=("163.com",),
    only=re.compile(r"/dy/article/"),
    link=re.compile(r"/dy/media/(?P<id>T\d{8,20})\.html"),
    names=("//*[contains(@class, 'post_wemedia_name')]", "//a[contains(@href, '/dy/media/T')]"),
    removed=re.compile(r"(?:文章|内容|页面)(?:已被?作者|已被?)?(?:删除|下线)|您?(?:所)?访问的页面(?:不存在|已删除)"),
    barred=re.compile(r"访问过于频繁|请完成验证"),
)
