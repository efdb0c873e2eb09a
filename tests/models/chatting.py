"""Models of both protocols at the scripted server."""

from memoranda.models import open_language_model
from memoranda.ports import LanguageModel
from memoranda.testing.model_server import ModelServer

PROVIDERS = ("anthropic", "openai")
CLOSED = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
OPEN = {"type": "object", "properties": {"a": {"type": "object"}}}


def opened(server: ModelServer, provider: str = "openai", **options: object) -> LanguageModel:
    url = server.url if provider == "openai" else server.root
    model = open_language_model(f"{provider}:some-model", **{"api_key": "secret", "base_url": url, **options})
    assert model is not None
    return model
