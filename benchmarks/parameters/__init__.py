"""Which keys a text is stored with: what each choice finds, how many candidates it names, what it costs."""
