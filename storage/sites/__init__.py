"""Sites and owners, and rules of text for agencies and credit lines."""
