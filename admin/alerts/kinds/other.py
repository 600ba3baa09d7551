"""Any other service that apprise supports."""

from typing import Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind

KIND: Final = ChannelKind("other", _l("Another service"), "ntfys://ntfy.example.org/TOPIC")
