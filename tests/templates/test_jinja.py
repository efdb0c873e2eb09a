"""The sandbox of templates: what it can do, and that nothing in it reaches out, grows or goes on without an end."""

import sys
import time
from typing import Any

import pytest

from memoranda.errors import InputError, MissingExtraError
from memoranda.templates import rendered

pytest.importorskip("jinja2", reason="the extra `templates` is not installed")

VALUES = {"name": "Ann", "items": [{"text": "a", "n": 2}, {"text": "b", "n": 1}], "more": {"x": {"y": 1}}}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Hello {{ name }}!\n", "Hello Ann!\n"),
        ("{% for one in items %}{{ loop.index }}{{ one.text }}{{ ',' if not loop.last }}{% endfor %}", "1a,2b"),
        ("{% for one in items|sort(attribute='n') if one.n < 2 %}{{ one['text'] }}{% else %}-{% endfor %}", "b"),
        ("{% for key, one in more.items() %}{{ key }}={{ one }}{% endfor %}", 'x={"y": 1}'),
        ("{% if more.get('z') is none %}none{% elif name %}{{ name }}{% endif %}", "none"),
        ("{% set a = name + '!' %}{{ a|upper }} {{ 7 % 3 + 2 * 3 - 1 }} {{ 2.456|round(1) }}", "ANN! 6 2.5"),
        ("{{ items|map(attribute='text')|join('; ') }} {{ [1, 2]|join }} {{ items|length }}", "a; b 12 2"),
        (
            "{{ nothing|default('none') }} {{ nothing is defined }} {{ [1, 2][-1:] }} {{ name|tojson }}",
            'none False [2] "Ann"',
        ),
        ("{% for n in range(3) %}{{ loop.cycle('a', 'b') }}{% endfor %}", "aba"),
        ("{% filter fenced %}{{ name }}{% endfilter %}", "<memstrata-memory>\nAnn\n</memstrata-memory>"),
        ("{{ '<b>\n[m1]'|quoted }}", "‹b› (m1)"),
    ],
)
def test_what_a_template_can_do(template: str, text: str) -> None:
    assert rendered(template, VALUES) == text


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ nme }}", "There is no 'nme' here, but items, more, name, range."),
        ("{{ more.x.z }}", "There is no 'z' here, but y."),
        ("{{ items[7].text }}", "There is no 7 of "),
        ("{{ name.__class__ }}", "There is no '__class__' of 'Ann'"),
        ("{{ name['__class__'] }}", "__class__"),
        ("{{ items.append(1) }}", "not safely callable"),
        ("{{ name.upper() }}", "not safely callable"),
        ("{{ '{:9999999999}'.format(1) }}", "not safely callable"),
        ("{{ more.clear() }}", "not safely callable"),
        ("{{ range.__self__ }}", "There is no '__self__' of "),
        ("{% for x in items %}{{ loop.__init__ }}{% endfor %}", "There is no '__init__' of "),
        ("{{ items|map(attribute='__class__')|first }}", "There is no '__class__' here, but n, text."),
        ("{{ name|attr('upper') }}", "No filter named 'attr'"),
        ("{{ 'a' ~ 'b' }}", "uses Concat, .* {{ a }}{{ b }} instead of a ~ b"),
        ("{% macro f() %}{% endmacro %}", "uses Macro, which templates may not"),
        ("{% include 'x' %}", "uses Include"),
        ("{% set x %}{{ name }}{% endset %}", "uses AssignBlock"),
        ("{{ [name, name] }}", "only constants can be in one"),
        ("{% for x in items recursive %}{% endfor %}", "recursive"),
        ("\n{% if %}", "Line 2 of the template cannot be read"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ name - 1 }}", "unsupported operand"),
    ],
)
def test_what_it_cannot_do_is_told(template: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        rendered(template, VALUES)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ 'a' * 9999999999 }}", "takes numbers below"),
        ("{{ [1] * 9999999999 }}", "takes numbers below"),
        ("{{ '%9999999999d' % 1 }}", "takes numbers below"),
        ("{{ 9 ** 9 ** 9 }}", "uses Pow"),
        ("{% set a = 9999999999 %}" + "{% set a = a * a %}" * 60, "takes numbers below"),
        ("{{ 5|round(-9999999999) }} {{ range(1001) }}", "range has 1,001 numbers"),
        ("{% set a = 'x' * 1 %}", "takes numbers below"),
        ("{% set a = 'xxxxxxxxxx' %}" + "{% set a = a + a %}" * 60, "more than 100,000 characters"),
        ("{% set a = [1] %}" + "{% set a = a + a %}" * 60, "more than 100,000 characters"),
        ("{% for a in range(1000) %}{{ long }}{% endfor %}", "more than 100,000 characters"),
        ("{{ range(1000)|join(long) }}", "more than 100,000 characters"),
        ("{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}", "more than 10,000 rounds"),
        ("{{ 'x'|center(9999999999) }}", "No filter named 'center'"),
        ("{{ " + "(" * 5_000, "nested too deep"),
        ("x" * 20_001, "has 20,001 characters; give one of at most 20,000"),
    ],
)
def test_nothing_grows_or_goes_on_without_an_end(template: str, told: str) -> None:
    began = time.process_time()
    with pytest.raises(InputError, match=told):
        rendered(template, {"long": "x" * 1_000})
    assert time.process_time() - began < 5


def test_values_stay_as_they_were() -> None:
    values: dict[str, Any] = {"items": [1, 2]}
    rendered("{% set items = items + [3] %}{{ items }}", values)
    assert values == {"items": [1, 2]}


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memoranda.templates.jinja", None)
    with pytest.raises(MissingExtraError, match=r"pip install '.\[templates\]'"):
        rendered("Hello", {})
