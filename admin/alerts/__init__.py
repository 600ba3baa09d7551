"""Blueprints of alert channels, rules, history and feeds."""
