"""Time expressions: found in a text and resolved against the time of the message."""
