"""Confusables: characters that look alike, used to disguise text and mixed up by scanners.

The groups are our own. A character may be in several groups; the relation is not transitive across groups.
Pairs with the same most common reading (味 and 未) are left to `homophones`: they are typing errors by sound.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

HAN_GROUPS: Final = (
    "己已巳 未末 日曰 土士 人入八 大太犬 大丈 天夭夫 干千于 免兔 戊戌戍戎 拔拨 瓣辨 午牛 甲申由田 木本术 王玉主 "
    "目自 目且 今令 乌鸟 刀力刁 几九 儿几 了子孑孓 开井 贝见 车东 斤斥 户尸 亨享 治冶 洒酒 徒徙 折拆析 栗粟 "
    "茶荼 菅管 睛晴 侍待 仑仓 沦沧 抡抢 论讼 微徽 徽薇 戴载 戴裁 戴栽 载裁 裁栽 钓钩钧 均匀 狠狼 赢羸 羸嬴 "
    "祟崇 肓盲 冒昌 且旦 宜宣宦 官宫 代伐 威咸戚 厂广 卯卵 印卬 仰抑 贪贫 贷货 贾贸 责贵 赛寨 寨塞 盖益 盆盒 "
    "薄簿 传转 传砖 杨场 杨汤 扬场 扬汤 场汤 渴喝 渴竭 渴揭 喝竭 喝揭 措惜 措借 措猎 错惜 错借 错猎 惜借 惜猎 "
    "借猎 捕铺辅 陈阵 坚竖 孤狐 孤弧 瓜爪 派脉 永水冰 尔你 池地他 施旅族旋 万方 国围因困囚 固团 图圈 卷券 卷拳 "
    "暖援缓 又叉义 文交父 校较 明朋 册朋用 角甩 肯背 肖肯 消稍 消哨 消俏 消削 稍俏 稍削 哨俏 哨削 俏削 刺剌 "
    "束朿 戈弋 列例 决快 决块 夬央 侠挟 挟峡 挟狭 味昧 味妹 衷衰哀 良艮 拘狗 狗荀 苟荀 句旬 鸣呜 岛鸟 鸭鸡 "
    "沓杳查 昏昔 季李 粉盼 纷盼 愤喷 债绩 积织 积职 拙绌 屈届 油抽轴袖 曲由 械诫 幻幼 勾匀勺 酌钓 运远 过达 "
    "边达 迟迢 送逆 选造 遗遣 追迫 逐遂 避僻 郭享 孰热 熟热 垫垒 烧浇绕挠 卒率 醉碎 汉汊 汗汁什 计讨 打扛 扛杠 "
    "江红 功切 功劝 攻切 攻劝 切劝 助动劲 径轻 经轻 氐氏民 眠眼 币市巾 帅师 棉锦 绵锦 冒胃 膏育 端瑞喘揣 虎虑虚 "
    "夕歹 名各 客容 谷容 俗浴 俗裕 赝膺 撒撤 衫彬 衬村 神抻 桔秸 戳戮 肆肄 脐挤 诀诛 淮准 隔融 坠堕 郁都 西酉 "
    "酉百 章竟 辛幸 厚原 仗伏 扰拢 元无 宗崇 卖实 矢夫 年午 乒乓 兵乒 乓兵 宾兵 岳丘 此北 匕七 匕上 古舌 舌吉 "
    "古右 右石 左右 司同 同向 问间 间闫 问闷 闭闲 闯闪 闪问 日目 酷酪 耍要 推堆 粟票 土王 个介 夭矢"
)
ACROSS_SCRIPTS: Final = (
    "aаαɑ bЬьв cсϲ dԁ eеёє gɡ hһн iіι1lӏ| jј kкκ mм nпη oоο0о〇 pрρ qԛ rг sѕ5 tтτ uυц vνѵ wѡω xхχ yуγ zᴢ2 "
    "BВΒ8 CСϹ EЕΕ HНΗ IІΙ1lӀ KКΚ MМΜ NΝ OОΟ0 PРΡ SЅ5 TТΤ XХΧ YΥУ ZΖ2 bб6 gq9 зЗ3 "
    "口囗0o 一—-ー丨 丨|1l 二ニ 工エ 力カ 口ロ 卜ト 八ハ 夕タ 千チ"
)

"""A Latin letter, digit or Han character, followed by its lookalikes in other scripts."""
_ALSO_LATIN: Final = "aАΑ jЈϳ lӏӀ nո oօ uս wԝԜ yҮү"
"""A Latin letter, followed by lookalikes of it that are in none of its groups."""
_NEVER_LATIN: Final = frozenset("бьєёηгцωγᴢ〇")
"""Members of a Latin letter's group that no reader takes for that letter."""

FIRST_SHAPE: Final = 0x80
"""ASCII characters pass for no other character."""


@cache
def _groups_of() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, group in enumerate(f"{HAN_GROUPS} {ACROSS_SCRIPTS}".split()):
        for char in group:
            groups.setdefault(char, set()).add(number)
    return {char: frozenset(numbers) for char, numbers in groups.items()}


def are_lookalikes(first: str, second: str) -> bool:
    """Return whether two different characters are in one group.

    >>> are_lookalikes("己", "已"), are_lookalikes("а", "a"), are_lookalikes("人", "口"), are_lookalikes("己", "己")
    (True, True, False, False)
    """
    groups = _groups_of()
    nowhere: frozenset[int] = frozenset()
    return first != second and not groups.get(first, nowhere).isdisjoint(groups.get(second, nowhere))


@cache
def lookalike_pairs() -> npt.NDArray[np.uint64]:
    """Return all pairs for which `are_lookalikes` is true, each as one number: twice 32 bits. They ascend."""
    groups = f"{HAN_GROUPS} {ACROSS_SCRIPTS}".split()
    pairs = {ord(one) << 32 | ord(other) for group in groups for one in group for other in group if one != other}
    numbers = np.array(sorted(pairs), dtype=np.uint64)
    numbers.setflags(write=False)
    return numbers


@cache
def latin_shapes() -> npt.NDArray[np.uint32]:
    """Return an array indexed by code point: the lower-case Latin letter that a character passes for, mostly 0.

    Such letters hide a copy from a machine but not from a reader. Upper and lower case are separate entries, since Η
    passes for an H and η for none.
    """
    groups = [group for group in f"{ACROSS_SCRIPTS} {_ALSO_LATIN}".split() if group[0].isascii() and group[0].isalpha()]
    shapes = {char: group[0].lower() for group in groups for char in group if ord(char) >= FIRST_SHAPE}
    passing = {ord(char): ord(letter) for char, letter in shapes.items() if char not in _NEVER_LATIN}
    table = np.zeros(max(passing) + 1, dtype=np.uint32)
    table[list(passing)] = list(passing.values())
    table.setflags(write=False)
    return table
