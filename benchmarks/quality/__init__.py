"""Quality benchmark: recall on disguised copies, and false hits on innocents."""
