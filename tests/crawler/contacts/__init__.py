"""Contacts of sites: pages, RDAP, WHOIS, mail servers."""
