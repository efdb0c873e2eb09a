"""What all else rests on: checks of arguments, moments, scopes, prices, schedules, retries, versioned values."""
