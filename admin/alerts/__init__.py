"""Blueprints of alert channels, rules, history and feeds; what messages say, and how channels are read and sent to."""
