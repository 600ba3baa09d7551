"""Blueprints of alert channels, rules, history and feeds; content of messages; kinds of channels."""
