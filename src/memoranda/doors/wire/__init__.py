"""What all doors have in common that answer requests: who calls, what they may ask for, what an error comes to."""
