"""CSDN: blog.csdn.net/<account>/article/details/<article>."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

CSDN: Final = Platform(
    name="csdn",
    hosts=("blog.csdn.net",),
    only=re.compile(r"/article/details/\d+"),
    address=re.compile(r"blog\.csdn\.net/(?P<id>[\w-]{2,60})/article/details/"),
    link=re.compile(r"blog\.csdn\.net/(?P<id>[\w-]{2,60})/?(?:$|[?#])"),
    script=(re.compile(r"""\bvar\s{1,3}username\s{0,3}=\s{0,3}["'](?P<id>[\w-]{2,60})["']"""),),
    names=("//a[contains(@class, 'follow-nickName')]", "//*[@id='uid']"),
    removed=re.compile(r"(?:文章|博文|页面|内容)(?:已被?(?:作者|博主)|已被?)?(?:删除|锁定|下架)|该文章不存在"),
    barred=re.compile(r"安全验证|登录后(?:即可|可)?(?:阅读|复制|查看)|521 "),
)
