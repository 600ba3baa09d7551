"""Whom to write to about a host: its own pages, RDAP and WHOIS of domain and address, mail servers."""
