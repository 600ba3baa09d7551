"""Contacts of copiers: proposals, their sources, and decisions about them."""
