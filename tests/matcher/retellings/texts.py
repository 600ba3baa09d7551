"""Articles on the subject of "balcony-garden" of the demo, written without it."""

INNOCENT = (
    "在阳台上种菜，去年成了不少城里人的新爱好。市园艺协会的统计说，全市卖出的种植箱比前年多了三成，最好卖的是生菜、香葱和樱桃番茄的种子。\n"
    "住在城西的退休教师万师傅种了八年。他说新手最容易犯的错是浇水太勤，根泡在水里，三天就黄了叶子。他的办法是把手指插进土里，两个指节以下还是潮的，就不浇。\n"
    "光照也要看清楚。朝北的阳台只能种些耐阴的菜，比如空心菜和韭菜；朝东的一上午有四小时太阳，种豆角刚好。去年夏天高温连着来，他拉了一层遮阳网，还是死了六棵茄子。\n"
    "园艺协会的施工程师提醒，老房子的阳台承重有限，大木箱装满湿土有一百多公斤，最好靠墙放。箱底要垫盘子，别让水滴到楼下。\n"
    "算下来，万师傅一年花在土和肥上的钱有五百来块，收的菜大约值七百。他说图的不是省钱，是早上推开门，能闻到番茄叶子的味道。协会打算在今年五月办一次换种活动，地点在城西公园的东门。\n"
)

INNOCENT_ENGLISH = (
    "More and more people in the city grow vegetables on their balconies. The gardeners' association says that "
    "shops sold a third more planting boxes last year than the year before; lettuce, spring onions and cherry "
    "tomatoes are what most beginners choose.\n"
    "Mr Wan, a retired teacher in the west of the city, has done it for eight years. The usual mistake, he "
    "says, is too much water: the roots drown, and after three days the leaves are yellow. He puts a finger "
    "into the soil and waters only if it is dry two joints deep.\n"
    "Light matters too. A balcony that faces north is good for little but water spinach and chives; one that "
    "faces east has four hours of sun in the morning, enough for beans. In last summer's heat he hung up a "
    "shade net and still lost six aubergines.\n"
    "Old balconies do not bear much, an engineer of the association warns: a large wooden box of wet soil "
    "weighs more than a hundred kilograms and should stand by the wall. Mr Wan spends some five hundred yuan a "
    "year on soil and fertiliser and harvests vegetables for seven hundred. In May the association will hold a "
    "day for swapping seeds at the east gate of the park.\n"
)
