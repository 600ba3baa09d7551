"""`bench meaning`: how many texts in other words or in another language are found, and how many innocents are named."""
