"""How fast the desk answers on a made-up store of very many pages."""
