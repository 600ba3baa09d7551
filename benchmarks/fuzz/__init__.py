"""Made-up and spoilt inputs for every parser that a stranger's bytes reach: none may raise, hang or eat memory."""
