"""Contacts of hosts: searches, what they found, and what people decided."""
