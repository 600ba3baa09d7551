"""Imported last by a process that others are forked from: what is loaded stays shared with them.

A collection of garbage in any of them would touch, and so copy, every object.
"""

import gc

gc.collect()
gc.freeze()
gc.enable()
