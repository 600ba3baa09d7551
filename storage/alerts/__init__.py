"""Alert channels, rules, routing, outbox, history and feeds."""
