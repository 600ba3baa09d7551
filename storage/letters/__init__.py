"""Letters to copiers: written once, on their way, followed up; and who writes them."""
