"""Keys that a text is stored with: what each choice finds, how many candidates it returns, what it costs."""
