"""Blueprints of users, profile, API tokens, audit log."""
