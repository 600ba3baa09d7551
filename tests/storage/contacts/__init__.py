"""Contacts in the store."""
