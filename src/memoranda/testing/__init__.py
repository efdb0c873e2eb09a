"""Shipped to users: conformance suites for stores and caches, and fakes for tests.

`fakes` and `model_server` (a scripted model server that speaks the `wires` of OpenAI and Anthropic) have no further
dependencies. `conformance` and `caches` need pytest and anyio, `machine` needs Hypothesis and anyio;
`pip install '.[test]'` in a checkout of memoranda installs all of them.
"""
