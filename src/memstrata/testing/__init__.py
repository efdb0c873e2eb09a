"""Shipped to users: what every store must do, and stand-ins for tests.

`fakes` needs nothing. `conformance` needs pytest and anyio, `machine` Hypothesis and anyio; all of them come with
`pip install memstrata[test]`.
"""
