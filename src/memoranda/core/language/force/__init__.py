"""How words are meant: as the speaker's own, or somebody else's, in play, in irony, not to be kept."""
