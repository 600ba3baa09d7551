"""The worker's share: claim from the backlog, compare, save; rematch; recompute."""
