"""What holds: conflicts, endings, duplicates, decay, promotion, the profile, patterns and trends."""
