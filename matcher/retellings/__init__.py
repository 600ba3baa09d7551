"""One text against the store by meaning: candidates, contrast, proof, direction, and the worker's share of it."""
