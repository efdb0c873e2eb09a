"""The other end of the HTTP API, in Python: faces whose verbs a server carries out. Nothing is written per verb."""
