"""Canonical form, scope, tracking parameters, dated archives."""
