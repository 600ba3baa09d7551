"""Labels of texts that are set aside."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import SetAsideScope

SET_ASIDE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "set_aside_scope": {
        SetAsideScope.SITE: _l("on one site"),
        SetAsideScope.OWNER: _l("on pages of one owner"),
        SetAsideScope.EVERYWHERE: _l("everywhere"),
    },
}
