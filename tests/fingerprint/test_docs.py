import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["characters.homophones", "characters.confusables", "normalize", "simhash", "dna"])
def test_the_examples_in_docstrings_hold(name: str) -> None:
    tried = doctest.testmod(import_module(f"fingerprint.{name}"))

    assert tried.attempted > 0
    assert tried.failed == 0
