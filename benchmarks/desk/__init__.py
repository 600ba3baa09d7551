"""How fast the desk answers on a store of very many pages: a made-up store, and each page asked several times."""
