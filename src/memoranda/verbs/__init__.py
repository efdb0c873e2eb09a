"""What an agent can do with a memory: each verb is declared once, for every door and with and without `await`."""
