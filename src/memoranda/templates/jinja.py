"""Templates in Jinja2, for those who may write templates but no programs.

Jinja2's own sandbox keeps a template from Python's internals, but not from all the memory and time there is. So the
language is narrower here: what a template may be made of is listed, everything else is refused by name. There are no
macros, includes, attributes other than keys, methods other than those of a mapping, and nothing that repeats a text;
and what it prints, how often it loops, and how far `range` goes have limits. What has no limit of its own is the time
of a single filter over the values that the host gives, and so that of a loop that applies one, at most `STEPS` times.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, nodes
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from memoranda.core.base.checks import brief
from memoranda.core.text.fence import fenced, quoted
from memoranda.errors import InputError

LONGEST = 20_000  # characters of a template
PRINTED = 100_000  # characters of what it prints, and of a text that it makes
STEPS = 10_000  # rounds of all loops together
RANGE = 1_000  # the most numbers of a `range`
_LARGEST = 1 << 63  # of a number

_NODES = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.If, nodes.For, nodes.Assign,
    nodes.FilterBlock, nodes.Filter, nodes.Test, nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.Getattr,
    nodes.Getitem, nodes.Slice, nodes.Call, nodes.Keyword, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Add,
    nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos,
)  # fmt: skip
_INSTEAD: Mapping[type[nodes.Node], str] = {nodes.Concat: "{{ a }}{{ b }} instead of a ~ b"}
_FILTERS = frozenset(
    "abs capitalize count d default dictsort first float int items last length list lower map max min reject rejectattr"
    " reverse select selectattr sort sum title trim truncate unique upper wordcount".split()
)
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_OF_MAPPINGS = frozenset({"get", "items", "keys", "values"})


class _Unknown(StrictUndefined):
    """A name that is not known; it says which are.

    Attributes:
        known: the names that a template can use by themselves.
    """

    known: ClassVar[frozenset[str]] = frozenset()

    @property
    def _undefined_message(self) -> str:
        held = self.known if self._undefined_obj is missing else self._undefined_obj
        if not isinstance(held, Mapping | frozenset):
            return f"There is no {brief(self._undefined_name)} of {brief(held)}."
        return f"There is no {brief(self._undefined_name)} here, but {', '.join(sorted(map(str, held))) or 'nothing'}."


class _Sandbox(ImmutableSandboxedEnvironment):
    """An environment in which a template is made of little, and reaches nothing but plain values."""

    intercepted_binops = frozenset({"+", "*", "%"})

    def __init__(self, known: frozenset[str]) -> None:
        unknown = type("Unknown", (_Unknown,), {"known": known})
        super().__init__(undefined=unknown, keep_trailing_newline=True, finalize=_printable)
        own = {"counted": self._counted, "fenced": fenced, "join": _joined, "quoted": quoted, "round": _rounded}
        own["tojson"] = _json
        self.filters = {name: one for name, one in self.filters.items() if name in _FILTERS} | own
        self.globals = {"range": _range}
        self._left = STEPS

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ARG002 - as the base has it
        """Whether a template may read an attribute that is no key."""
        return attr in _OF_MAPPINGS if isinstance(obj, dict) else isinstance(obj, LoopContext) and attr[0] != "_"

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether a template may call something."""
        return obj is _range or isinstance(getattr(obj, "__self__", None), dict | LoopContext)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Add, multiply or divide, but for what would grow without an end."""
        if operator == "+" and isinstance(left, str | list) and isinstance(right, type(left)):
            _check_length(len(left) + len(right))
        elif not all(isinstance(one, int | float) and abs(one) < _LARGEST for one in (left, right)):
            raise InputError(f"{operator} takes numbers below 2^63, not {brief(left)} and {brief(right)}.")
        return super().call_binop(context, operator, left, right)

    def _counted(self, values: Iterable[Any]) -> Iterator[Any]:
        for one in values:
            self._left -= 1
            if self._left < 0:
                raise InputError(f"The loops of this template take more than {STEPS:,} rounds together.")
            yield one


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with plain values (texts, numbers, lists, mappings by text) put in.

    Raises:
        InputError: the template cannot be read, uses what it may not, or does not end within its limits.
    """
    if len(template) > LONGEST:
        raise InputError(f"This template has {len(template):,} characters; give one of at most {LONGEST:,}.")
    sandbox = _Sandbox(frozenset({*values, "range"}))
    try:
        tree = sandbox.parse(template)
        _check(tree)
        return _printed(sandbox.from_string(tree).generate(dict(values)))
    except InputError:
        raise
    except TemplateSyntaxError as error:
        raise InputError(f"Line {error.lineno} of the template cannot be read: {error.message}") from error
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"The template fails: {error}") from error
    except RecursionError as error:
        raise InputError("This template is nested too deep.") from error


def _check(tree: nodes.Template) -> None:
    """Refuse what a template may not be made of, and count the rounds of its loops."""
    for node in tree.find_all(nodes.Node):
        kind, at = type(node), f"Line {node.lineno} of the template"
        if not isinstance(node, _NODES):
            told = _INSTEAD.get(kind, "print values, with if, for, set and filters")
            raise InputError(f"{at} uses {kind.__name__}, which templates may not: {told}.")
        listed = isinstance(node, nodes.List | nodes.Tuple | nodes.Dict) and getattr(node, "ctx", "load") == "load"
        if listed and not all(isinstance(one, nodes.Literal) for one in node.find_all(nodes.Expr)):
            raise InputError(f"{at} makes a list or an object of names; only constants can be in one.")
        if isinstance(node, nodes.For):
            if node.recursive:
                raise InputError(f"{at} has a recursive loop; loops may not be.")
            node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)


def _printed(parts: Iterable[str]) -> str:
    found, length = [], 0
    for part in parts:
        length += len(part)
        _check_length(length)
        found.append(part)
    return "".join(found)


def _check_length(length: int) -> None:
    if length > PRINTED:
        raise InputError(f"This template makes more than {PRINTED:,} characters.")


def _printable(value: Any) -> Any:
    """A value as it is printed; lists and mappings as JSON."""
    return _json(value) if isinstance(value, list | tuple | dict) else value


def _json(value: Any) -> str:
    """A value as JSON."""
    return _printed(_ENCODER.iterencode(value))


def _rounded(value: float, digits: int = 0) -> float:
    """A number with so many digits behind the point."""
    return round(float(value), digits)


def _joined(values: Iterable[Any], by: str = "") -> str:
    """Values as one text, with `by` between them."""

    def parts() -> Iterator[str]:
        for place, one in enumerate(values):
            yield str(by) if place else ""
            yield str(_printable(one))

    return _printed(parts())


def _range(*bounds: int) -> range:
    found = range(*bounds)
    if len(found) > RANGE:
        raise InputError(f"range has {len(found):,} numbers; at most {RANGE:,} can be had.")
    return found
