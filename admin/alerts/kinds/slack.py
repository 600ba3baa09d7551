"""Slack: the incoming webhook of a channel."""

from typing import Final

from admin.alerts.channel_kind import ChannelKind

KIND: Final = ChannelKind(
    "slack",
    "Slack",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    schemes=frozenset({"slack"}),
)
