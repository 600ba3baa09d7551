"""How Zhiwen holds out: sites that publish, copy, change and remove pages, and what becomes of every one of them."""
