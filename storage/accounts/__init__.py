"""Accounts, sessions, login attempts, two-factor secrets, API tokens, request limits, audit log."""
