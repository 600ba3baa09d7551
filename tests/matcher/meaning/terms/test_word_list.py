from matcher.meaning.terms.stems import stems_of
from matcher.meaning.terms.word_list import read_word_list, word_list

LINES = [
    "# CC-CEDICT",
    "番茄 番茄 [fan1 qie2] /tomato/CL:個|个[ge4]/",
    "上海 上海 [Shang4 hai3] /Shanghai, municipality on the coast of central East China/",
    "七零八落 七零八落 [qi1 ling2] /everything broken and in disorder/",
    "柯 柯 [Ke1] /surname Ke/",
    "女 女 [nu:3] /female; woman; daughter/",
    "no entry at all",
]


def test_words_have_the_stems_of_short_meanings() -> None:
    found = read_word_list(LINES)

    assert found.meanings == {"番茄": ("tomato",), "上海": ("shanghai",)}, "a long meaning explains"
    assert found.readings == {"柯": "ke", "女": "nv"}
    assert found.surnames == {"柯"}


def test_the_list_of_the_package_is_read() -> None:
    found = word_list()

    assert len(found.meanings) > 80_000
    assert "kernel" in found.meanings["内核"]
    assert found.readings["倩"] == "qian"


def test_forms_of_a_word_have_one_stem() -> None:
    assert stems_of("The kernels scheduled, a kernel's scheduling") == {"kernel", "schedul"}
    assert stems_of("") == set()
