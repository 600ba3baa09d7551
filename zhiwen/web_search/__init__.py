"""Copies on the open web: asks search services about articles of ours, within their budgets."""
