"""An English article, two Chinese translations of it made without each other, and nothing else like them."""

ORIGINAL = (
    "The town library of Harwick will close its reading room for eleven weeks this winter, because the roof over it "
    "leaks in fourteen places. The librarian, Margaret Olsen, says that the damage was found in September, when a "
    "visitor noticed water running down a shelf of atlases.\n"
    "About 2,300 books have to be moved. Most of them go to the gymnasium of the primary school, which has a dry floor "
    "and a lock on the door. Some forty volumes are too old to be carried by hand; a firm from Leeds will pack them in "
    "boxes lined with felt and store them at a temperature of sixteen degrees.\n"
    "Repairing the roof costs 186,000 pounds. The council pays two thirds, and the rest comes from a fund that was set "
    "up after the flood of 1987. Olsen had asked for a new roof three times since 2014, but each time the money went "
    "to the bridge on Mill Street.\n"
    "While the room is closed, readers can order books by telephone and fetch them from a van that stops at the market "
    "square on Tuesdays and Fridays. Children under twelve may keep them for six weeks instead of three.\n"
    "The oldest reader, Walter Finch, who is ninety-one and comes every morning to read the newspaper, says he will "
    "wait in the bakery across the road, where the coffee is better anyway. The room is to be opened again on the "
    "ninth of February.\n"
)

FIRST = (
    "哈威克镇图书馆的阅览室今年冬天将关闭十一个星期，因为屋顶有十四处漏水。图书馆员玛格丽特·奥尔森说，损坏是九月份发现的，当时一位访客注意到水正顺着一排地图集往下流。\n"
    "大约2300本书必须搬走。其中大多数会被送到小学的体育馆，那里地面干燥，门上有锁。有四十来册书太旧，不能用手搬运；利兹的一家公司会把它们装进衬有毛毡的箱子，存放在十六度的温度下。\n"
    "修理屋顶要花费18.6万英镑。市议会支付三分之二，其余的来自1987年洪水之后设立的一个基金。自2014年以来，奥尔森曾三次申请新的屋顶，但每次钱都用在了磨坊街的桥上。\n"
    "阅览室关闭期间，读者可以打电话订书，然后到一辆面包车上取书，这辆车每逢星期二和星期五停在集市广场。十二岁以下的孩子可以把书保留六个星期，而不是三个星期。\n"
    "年纪最大的读者沃尔特·芬奇今年九十一岁，每天早上都来看报纸。他说他会在马路对面的面包店里等，反正那里的咖啡更好。阅览室定于二月九日重新开放。\n"
)

SECOND = (
    "今冬，哈威克镇立图书馆要把阅览室关上十一周：房顶漏了十四个地方。馆员玛格丽特·奥尔森介绍，问题在九月暴露，有位来馆的人看见水沿着放地图册的书架淌下来。\n"
    "要搬的书差不多有2300本，多半暂存在小学体育馆，那儿的地板是干的，门也能锁上。另有约四十本年代太久，不宜徒手搬动，将由利兹一家公司用垫了毛毡的箱子打包，保存在十六度的环境里。\n"
    "翻修屋顶需18.6万英镑，三分之二由镇议会承担，余下的出自1987年大水后建立的基金。奥尔森从2014年起先后三回提出换屋顶，可款项回回都给了磨坊街那座桥。\n"
    "闭馆的日子里，读者能电话预订图书，周二、周五到集市广场的流动车领取。未满十二岁的儿童借期由三周延长到六周。\n"
    "最年长的读者沃尔特·芬奇九十一岁，天天一早来读报。他打算去街对面的面包房等着，说那边的咖啡本来就更香。阅览室预计二月九日再度开门。\n"
)

CLOSER = (
    "哈威克镇图书馆的阅览室这个冬天要关门十一个星期，原因是屋顶有十四处漏水。管理员玛格丽特·奥尔森表示，损坏是九月份发现的，那时一名读者看到水正顺着一排地图集流下来。\n"
    "约有2300本书必须搬走。大部分将被送到小学的体育馆，因为那里地面干燥，门也锁得上。另外四十来册书太旧，用手搬运会损坏；利兹有家公司负责装进衬毛毡的箱子，并在十六度下存放。\n"
    "修好屋顶需要18.6万英镑。市议会付三分之二，余款出自1987年洪水之后设的基金。从2014年到现在，奥尔森三次申请新的屋顶，可是每次钱都拿去修了磨坊街的桥。\n"
    "在阅览室关闭期间，读者可以打电话订书，再从一辆面包车上领书，车子每逢星期二和星期五停在集市广场。不满十二岁的孩子可以把书保留六个星期，而平时只有三个星期。\n"
    "年纪最大的读者沃尔特·芬奇已九十一岁，每个早上都来看报纸。他说自己会在马路对面的面包店里等着，反正那边的咖啡更好喝。阅览室计划在二月九日重新开放。\n"
)
"""As near to the first translation as an independent one may come: it matches, with a third of its wording."""
