"""The files of languages, and what is made of their tables: nothing that is wrong in one passes in silence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from memoranda import languages
from memoranda.core.language import pack as packs
from memoranda.core.language.grammar import compile_pack
from memoranda.core.language.names import RunningNames, cues_of, running_names
from memoranda.core.language.pack import Rule, pack_of
from memoranda.core.temporal import pack as times
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.packs import joined, made, words
from memoranda.errors import FormatError

FILES = sorted(
    path.relative_to(languages.__path__[0]).with_suffix("").as_posix()
    for path in Path(languages.__path__[0]).rglob("*.toml")
)


@dataclass(frozen=True, kw_only=True)
class Sample:
    text: str
    weight: float = 1.0
    strict: bool = False
    listed: frozenset[str] = frozenset()
    forms: Mapping[str, str] | None = None
    groups: Mapping[str, frozenset[str]] | None = None


@dataclass(frozen=True, kw_only=True)
class Tables:
    forms: Mapping[str, str]
    groups: Mapping[str, frozenset[str]]


def test_a_text_of_several_lines_is_one():
    assert joined("\n    (?:a |b)\n    |c\n") == "(?:a |b)|c"
    assert joined(" a b ") == " a b "


def test_words_are_set_apart_by_blanks_or_by_commas():
    assert words("new  york\nparis") == {"new", "york", "paris"}
    assert words("new york,\n  paris,") == {"new york", "paris"}
    assert words("") == frozenset()


def test_each_entry_becomes_what_its_field_holds():
    sample = made(Sample, {"text": "a\n  b", "weight": 2, "strict": True, "listed": "x y"}, "here")
    assert sample == Sample(text="ab", weight=2, strict=True, listed=frozenset("xy"))
    tables = made(Tables, {"forms": {"go": "goes"}, "groups": {"en": "a b"}}, "here")
    assert tables == Tables(forms={"go": "goes"}, groups={"en": frozenset("ab")})
    assert made(Sample, {"weight": 0.5}, "here", text="t") == Sample(text="t", weight=0.5)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"text": "a", "wieght": 1.0}, "'wieght' is no entry"),
        ({"text": 3}, "text = 3 is not of type str"),
        ({"text": "a", "weight": "much"}, "weight = 'much' is not of type float"),
        ({"text": "a", "weight": True}, "weight = True is not of type float"),
        ({"text": "a", "strict": "yes"}, "strict = 'yes' is not of type bool"),
        ({"text": {"a": "b"}}, "text = {'a': 'b'} is not of type str"),
        ({"weight": 1.0}, "text"),
        ("text", "sequence"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(table: Any, says: str):
    with pytest.raises(FormatError, match=r"^languages/xx/rules\.toml: \[likes\]: ") as raised:
        made(Sample, table, "languages/xx/rules.toml: [likes]")
    assert says in str(raised.value)


def test_within_a_table_the_entry_is_named_too():
    with pytest.raises(FormatError, match=r"here: forms\.go = 3 is not of type str"):
        made(Tables, {"forms": {"go": 3}, "groups": {}}, "here")


def test_a_file_that_is_not_toml_is_named_with_the_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    tmp_path.joinpath("names.toml").write_text("given = 'a'\nplaces = 'b\nnever = ''")
    monkeypatch.setattr(languages, "_HERE", tmp_path)
    with pytest.raises(FormatError, match=r"^languages/names\.toml: .*line 2"):
        languages.read("names")


def test_a_rule_that_is_wrong_is_named(monkeypatch: pytest.MonkeyPatch):
    rules = {"likes": {"cues": "like", "pattern": "x", "attribute": "a", "text": "t", "importence": 0.5}}
    monkeypatch.setattr(packs, "read", {"en/rules": rules, "en/grammar": {}}.__getitem__)
    with pytest.raises(FormatError, match=r"languages/en/rules\.toml: \[likes\]: 'importence' is no entry"):
        pack_of.__wrapped__("en")


def test_a_pattern_that_is_wrong_is_named():
    pack = pack_of("en")
    with pytest.raises(FormatError, match=r"languages/en: lead uses \{nowhere\}, which is no macro"):
        compile_pack(replace(pack, lead="{nowhere}"))
    with pytest.raises(FormatError, match=r"languages/en: asks is no regular expression: .*position 0"):
        compile_pack(replace(pack, asks="(?:a"))
    with pytest.raises(FormatError, match="languages/en: wary is no regular expression"):
        compile_pack(replace(pack, wary="("))
    rule = Rule("likes", "like", "{S} like (", "preference", "t")
    (matcher,) = compile_pack(replace(pack, rules=(rule,))).rules
    with pytest.raises(FormatError, match=r"languages/en: \[likes\] pattern is no regular expression"):
        _ = matcher.pattern


def test_latin_words_in_running_text_are_read_with_the_cues_of_another_language():
    assert cues_of("zh") is cues_of("en") is cues_of("xx")
    assert isinstance(running_names("zh"), RunningNames)


def texts(table: Mapping[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts(value)
        elif isinstance(value, str):
            yield value


@pytest.mark.parametrize("name", FILES)
def test_no_text_of_one_line_was_meant_to_be_one_of_several(name: str):
    """TOML drops a line break behind the opening quotes, so that a single line behind it keeps its blanks."""
    assert not [text for text in texts(languages.read(name)) if "\n" not in text and text.startswith("  ")]


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_one_that_is_read(name: str):
    folder, _, file = name.rpartition("/")
    own = {"claims", "corrections", "endings", "grammar", "names", "questions", "rules", "secrets", "times"}
    shared = {
        "asking",
        "attributes",
        "changes",
        "common",
        "injections",
        "names",
        "off_record",
        "pasted",
        "played",
        "scaffold",
        "secrets",
        "secret_weights",
        "signs",
        "times",
        "tools",
        "en/words",
    }
    assert (folder in LANGUAGES and file in own) or name in shared


TIMES = {"past": "was", "future": "will", "present": "is", "glue": {}, "words": {}}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"words": {"part": {"6": "morning"}}}, r"\[words\.part\] '6' is no value"),
        ({"words": {"dayparts": {"6-12": "tonight"}}}, r"\[words\.dayparts\] '6-12' is no value"),
        ({"words": {"holiday": {"advent": "advent"}}}, r"\[words\.holiday\] 'advent' is no value"),
        ({"words": {"holiday": {"1 2": "a day"}}}, r"\[words\.holiday\] '1 2' is no value"),
        ({"words": {"noon": {"twelve": "noon"}}}, r"\[words\.noon\] 'twelve' is no value"),
        ({"future": "("}, "is no regular expression"),
        ({"glue": {"in": 1}}, r"glue\.in = 1 is not of type str"),
        ({"rules": [["weekday", "date"]]}, r"\['weekday', 'date'\] is no rule"),
        ({"rules": [["weekday", "date", ""]]}, r"\['weekday', 'date', ''\] is no rule"),
        ({"rules": [["weekday", "date", "wekday"]]}, "is no rule of pattern, kind and function: 'wekday'"),
        ({"rules": [["weekday", "date", "same $5"]]}, r"\$5 is none of \$1, \$2"),
        ({"last_rules": [["(weekday", "date", "same"]]}, r"'\(weekday'.* is no rule"),
        ({"rules": [7]}, "7 is no rule"),
    ],
)
def test_what_is_wrong_among_words_of_time_is_named(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], says: str):
    files = {"en/times": TIMES | change, "times": languages.read("times")}
    monkeypatch.setattr(times, "read", files.__getitem__)
    with pytest.raises(FormatError, match=rf"^languages/en/times\.toml: .*{says}"):
        times.grammar.__wrapped__("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_time_is_listed_twice(language: str):
    table = languages.read(f"{language}/times")
    lists = [*table["glue"].values(), *(words for kind in table["words"].values() for words in kind.values())]
    listed = [word for words in lists for word in joined(words).split("|")]
    assert len(listed) == len(set(listed))
    assert all(word == word.strip().lower() != "" for word in listed)
