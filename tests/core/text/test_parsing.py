import pytest

from memoranda.core.text.salvage import parse_json


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        (' "tea" ', "tea"),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ("```\n[]\n```\n", []),
        ("Here you are: {}", None),
        ('{"a": [1, 2', None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_what_is_json_is_read(text: str, found: object) -> None:
    assert parse_json(text) == found
