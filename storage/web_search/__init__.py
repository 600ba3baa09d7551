"""Web search: queries with their budgets, what they found, articles to ask about, hosts."""
