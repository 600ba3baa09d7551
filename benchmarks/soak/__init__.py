"""Soak test: sites publish, copy, change and remove pages while Zhiwen runs, and every page is accounted for."""
