"""Shipped to users: what every store must do, and stand-ins for tests.

`fakes` and `model_server` (a scripted server of models, on the `wires` of OpenAI and Anthropic) need nothing.
`conformance` and `caches` need pytest and anyio, `machine` Hypothesis and anyio; all of them come with
`pip install memstrata[test]`.
"""
