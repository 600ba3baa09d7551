"""Generated and mutated inputs for every parser of untrusted bytes: none may raise, hang or exhaust memory."""
