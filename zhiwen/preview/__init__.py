"""Previews of a site or a page before it is added."""
