"""Blueprint of cases: list, detail, actions, saved views."""
