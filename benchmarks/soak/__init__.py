"""Endurance: sites publish, copy, change and remove pages under a running Zhiwen, and every page is accounted for."""
