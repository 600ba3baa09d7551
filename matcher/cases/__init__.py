"""When a match becomes a case: case rule, updates, licences, rights."""
