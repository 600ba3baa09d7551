"""Pages that share wording with others and are no copies of ours."""
