"""头条号: toutiao.com."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

TOUTIAO: Final = Platform(
    name="toutiao",
    hosts=("toutiao.com",),
    only=re.compile(r"/(?:article|group|a|i|w)/?\d{5,}"),
    link=re.compile(r"/c/user/(?:token/)?(?P<id>[\w=-]{5,200})"),
    script=(
        re.compile(r"""\bmediaInfo\b.{0,300}?/c/user/(?:token/)?(?P<id>[\w=-]{5,200})"""),
        re.compile(r"""["']creator_uid["']\s{0,3}:\s{0,3}["']?(?P<id>\d{5,25})"""),
    ),
    scripts_named=(
        re.compile(r"""\bmediaInfo\b.{0,40}?["']?name["']?\s{0,3}:\s{0,3}["'](?P<name>[^"'<>]{1,60})["']"""),
    ),
    names=("//*[contains(@class, 'article-meta')]//*[contains(@class, 'name')]/a",),
    removed=re.compile(
        r"(?:文章|内容|视频)(?:已被?作者|已被?发布者)?(?:删除|下架)|抱歉，你访问的内容不存在|该内容已删除"
    ),
    barred=re.compile(r"验证码|滑动滑块|访问过于频繁|请完成安全验证"),
)
