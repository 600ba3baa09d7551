"""微信公众号: mp.weixin.qq.com."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

WEIXIN: Final = Platform(
    name="weixin",
    hosts=("mp.weixin.qq.com",),
    only=re.compile(r"/s(?:$|[/?])"),
    address=re.compile(r"[?&]__biz=(?P<id>[A-Za-z0-9+/]{8,30}={0,2})"),
    script=(
        re.compile(r"""\bvar\s{1,3}biz\s{0,3}=\s{0,3}["'](?P<id>[A-Za-z0-9+/]{8,30}={0,2})["']"""),
        re.compile(r"""\b__biz=(?P<id>[A-Za-z0-9+/]{8,30}={0,2})"""),
        re.compile(r"""\bvar\s{1,3}user_name\s{0,3}=\s{0,3}["'](?P<id>gh_[0-9a-f]{8,20})["']"""),
    ),
    scripts_named=(
        re.compile(r"""\bvar\s{1,3}nickname\s{0,3}=\s{0,3}(?:htmlDecode\()?["'](?P<name>[^"'<>]{1,60})["']"""),
    ),
    names=("//*[@id='js_name']", "//strong[contains(@class, 'profile_nickname')]"),
    removed=re.compile(
        r"""该内容已被发布者删除
          | 此内容(?:因违规|被投诉且经审核涉嫌侵权|被多人投诉)[^。]{0,20}无法查看 | 此[帐账]号已被屏蔽
          | 此[帐账]号已自主注销 | 该公众号已(?:迁移|注销) | 由用户投诉并经平台审核，涉嫌""",
        re.VERBOSE,
    ),
    barred=re.compile(r"环境异常|完成验证后即可继续访问|操作频繁，?请稍后|请在微信客户端打开链接"),
)
