import gc

import pytest

from zhiwen.loading import loading


@pytest.mark.parametrize("looks", [True, False])
def test_garbage_is_looked_for_after_loading_as_before_it_also_if_that_fails(looks: bool) -> None:
    before = gc.isenabled()
    try:
        if looks:
            gc.enable()
        else:
            gc.disable()
        with loading():
            assert not gc.isenabled()
            made = [object()]
            made.append(made)
            left_alone = gc.get_freeze_count()

        assert gc.isenabled() is looks
        assert gc.get_freeze_count() > left_alone
        assert not any(one is made for one in gc.get_objects())

        with pytest.raises(ModuleNotFoundError), loading():
            __import__("zhiwen.commands.none")

        assert gc.isenabled() is looks
    finally:
        if before:
            gc.enable()
