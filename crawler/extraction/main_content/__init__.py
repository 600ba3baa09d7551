"""The main text of a page: article element, consensus of readers, clutter, trimming."""
