"""How a crawl behaves over very many pages: speed and memory, on a generated site."""
