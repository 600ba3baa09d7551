"""How a copier hides a copy: each disguise keeps track of where its characters are from."""
