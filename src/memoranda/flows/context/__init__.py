"""What is put into a prompt, and how well it was chosen."""
