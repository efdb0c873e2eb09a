"""Shipped to users: what every store must do, and stand-ins for tests.

`fakes` needs nothing. `conformance` needs pytest, `machine` needs pytest and Hypothesis: both come with
`pip install memstrata[test]`.
"""
