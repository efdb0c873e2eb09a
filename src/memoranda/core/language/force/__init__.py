"""How words are meant that are not simply said: in play, in irony, not to be kept."""
