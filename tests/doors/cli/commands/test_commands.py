import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doors.running import Run
from memoranda.stores.sqlite.schema import migrations


def parsed(text: str) -> Any:
    return json.loads(text)


def record(fed: Run) -> dict[str, Any]:
    item = parsed(fed("recall", "short emails", "--kinds", "preference", "--json").stdout)["items"][0]
    assert item["of"] == "record"
    return dict(item)


# ----------------------------------------------------------------------------------------- the whole journey


def test_import_recall_context_forget_recall(run: Run, chat: Path) -> None:
    first = run("import", str(chat))
    assert re.search(r"new +3\n", first.stdout)
    assert "memory.db: tenant local, user me, channel _global" in first.stderr
    again = parsed(run("import", str(chat), "--json").stdout)
    assert isinstance(again["records"], list)
    assert again["degraded"] == []
    assert (again["turns"], again["known"]) == (3, 3)

    found = run("recall", "How should emails look?")
    assert re.search(r"^ 1  0\.\d\d  \w+  2026-0", found.stdout, re.MULTILINE)
    assert "I prefer short emails." in found.stdout
    assert "why: " in found.stdout

    context = run("context", "Draft an email", "--budget", "400")
    assert "short emails" in context.stdout
    assert re.search(r"section +budget +granted +used +in +out", context.stdout)
    assert re.search(r"all +400 ", context.stdout)
    assert "services" in run("context", "Draft an email", "--layout", "host").stdout
    assert run("context", "Draft an email", "--budget", "1").stdout.startswith("(nothing fits)")

    target = record(run)["id"]
    receipt = run("forget", "--record", target, "--yes")
    assert re.search(r"removed .*\b1 events", receipt.stdout)
    assert "short" not in run("recall", "How should emails look?").stdout
    fed_again = parsed(run("import", str(chat), "--json").stdout)
    assert (fed_again["known"], fed_again["forgotten"]) == (2, 1)
    assert "short" not in run("recall", "How should emails look?").stdout


# ------------------------------------------------------------------------------------------------- commands


def test_add_records_a_turn_at_its_time(run: Run) -> None:
    args = ["--conversation", "c9", "--name", "Torben", "--at", "2026-02-01T10:00Z", "--json"]
    done = parsed(run("add", "I prefer tea.", *args).stdout)
    item = parsed(run("recall", "tea", "--kinds", "turn", "--json").stdout)["items"][0]
    assert item["id"] == done["events"][0]
    assert (item["at"], item["conversation"], item["speaker"]) == ("2026-02-01T10:00:00+00:00", "c9", "Torben")


def test_add_names_no_event_of_what_was_forgotten(run: Run) -> None:
    done = parsed(run("add", "The crab is a deep blue.", "--json").stdout)
    run("forget", "--source", done["events"][0], "--yes", "--for-good")
    assert run("add", "The crab is a deep blue.").stdout.startswith("forgotten on request: withheld, or not recorded")


def test_add_tells_what_it_made_of_a_turn(run: Run) -> None:
    assert re.search(r"recorded: event \S+\nadded: record ", run("add", "I prefer tea.").stdout)
    assert "found by its words" in run("add", "Rain again, then.").stdout


def test_a_dash_is_standard_input(run: Run) -> None:
    run("add", "-", given="I prefer tea.\n")
    for verb in ("recall", "why"):
        assert "I prefer tea." in run(verb, "-", given="tea").stdout
    assert "is not UTF-8" in run("add", "-", given=b"\xff\xfe", exits=1).stderr


def test_observe_records_once_per_key(run: Run) -> None:
    args = ["observe", "The Jira project is PROJ", "--category", "project_details", "--key", "jira"]
    assert "recorded" in run(*args).stdout
    assert "already known" in run(*args).stdout
    assert parsed(run("stats", "--json").stdout)["events"] == 1


def test_recall_narrows_by_time_kind_and_number(fed: Run) -> None:
    def texts(*args: str) -> list[str]:
        return [item["text"] for item in parsed(fed("recall", "Ida emails mails", "--json", *args).stdout)["items"]]

    assert "I prefer short emails." in texts()
    assert "I prefer short emails." not in texts("--until", "2026-01-31")
    assert texts("--since", "2026-02-01", "--kinds", "turn") == ["I prefer short emails."]
    assert texts("--as-of", "2026-01-10", "--kinds", "preference,fact") == texts("--kinds", "fact")
    assert len(texts("--limit", "1")) == 1
    assert not texts("--tokens", "1")
    assert not texts("--known-at", "2020-01-01")
    assert texts("--arm", "keyword", "--arm", "vector")
    assert not texts("--arm", "time")
    assert texts("--profile", "relevance", "--now", "2026-02-04T00:00Z")


def test_recall_tells_the_goals_it_brings_up_and_the_strategies_that_fit(fed: Run) -> None:
    goal = json.loads(fed("goals", "add", "Sell the boat", "--recall-when", "chromodynamics", "--json").stdout)
    way = json.loads(fed("strategies", "learn", "Ask a physicist", "quantum chromodynamics", "--json").stdout)
    told = fed("recall", "quantum chromodynamics").stdout
    assert re.search(
        r"goals that this brings up\nactive +priority 3\n +Sell the boat\n.*strategies that fit it\n", told, re.DOTALL
    )
    found = json.loads(fed("recall", "quantum chromodynamics", "--json").stdout)
    assert [one["id"] for one in found["goals"]] == [goal["id"]]
    assert [one["strategy"]["id"] for one in found["strategies"]] == [way["id"]]


def test_recall_that_finds_nothing_says_why(fed: Run) -> None:
    assert "nothing relevant" in fed("recall", "quantum chromodynamics").stdout
    answer = parsed(fed("recall", "quantum chromodynamics", "--json").stdout)
    assert answer["items"] == []
    assert "nothing relevant" in answer["reason"]


def test_recall_tells_how_it_read_the_time(fed: Run) -> None:
    text = fed("recall", "What did I say in January 2026?", "--now", "2026-02-10T00:00Z").stdout
    assert "read as a time: 2026-01-01 to 2026-02-01" in text


def test_recall_tells_which_parts_it_looked_up(fed: Run) -> None:
    text = fed("recall", "Which emails did I write? And which museum did I see?").stdout
    assert "looked up: And which museum did I see?\nlooked up: Which emails did I write?\n" in text
    assert "looked up" not in fed("recall", "Which emails did I write?").stdout
    assert "candidates: keyword" in fed("why", "Which emails did I write? And which museum did I see?").stdout


def test_the_trace_is_told_on_request(fed: Run) -> None:
    assert "arms" not in parsed(fed("recall", "emails", "--json").stdout)["trace"]
    assert parsed(fed("recall", "emails", "--json", "--trace").stdout)["trace"]["arms"]["keyword"]


def test_profile_shows_what_is_known(fed: Run) -> None:
    shown = fed("profile", "--now", "2026-03-01").stdout
    assert re.search(r"name: Ida  \(since 2026-01-06, confidence 0\.\d\d\)", shown)
    assert parsed(fed("profile", "--json").stdout)["scaffold"]["identity"]["name"]["value"] == "Ida"


def test_an_empty_profile_says_so(run: Run) -> None:
    run("add", "Rain again, then.")
    assert "nothing is known yet" in run("profile").stdout


def test_history_shows_how_a_belief_changed(run: Run) -> None:
    run("add", "I live in Hamburg.", "--at", "2026-01-01")
    done = parsed(run("add", "I moved to Valencia.", "--at", "2026-03-22", "--json").stdout)
    new = next(one["record"] for one in done["decisions"] if one["outcome"] == "superseded")
    shown = run("history", new).stdout
    assert re.search(r"2026-01-01 to 2026-03-22 .*\n.*Hamburg", shown)
    assert re.search(r"2026-03-22 to now .*\n.*Valencia", shown)
    assert len(parsed(run("history", new, "--json").stdout)) == 3


def test_why_draws_shares_as_bars(fed: Run) -> None:
    shown = fed("why", "short emails", "--limit", "2").stdout
    assert re.search(
        r"^ 1 .*\n    .*email.*\n    .*; .*\n( +[\w ]+-?0\.\d\d +[█▏]+ *\n)+    proposed by \w+ \d+.*\n",
        shown,
        re.MULTILINE,
    )
    assert "\nrecency: how new it is; importance: how much it matters, less the longer it was not used; " in shown
    assert re.search(
        r"^2 of \d+ candidates, of \d+ searched\ncandidates: keyword \d+.*\nmilliseconds: .*score ", shown, re.MULTILINE
    )


def test_why_tells_what_was_left_out(fed: Run) -> None:
    shown = fed("why", "short emails", "--limit", "1").stdout
    assert re.search(r"^left out \d+: beyond the limit\n    .*emails.* \(proposed by ", shown, re.MULTILINE)
    answer = parsed(fed("why", "short emails", "--limit", "1", "--json").stdout)
    assert [(item["place"], bool(item["arms"]["keyword"])) for item in answer["items"]] == [(1, True)]
    assert {one["reason"] for one in answer["left_out"]} == {"beyond the limit"}
    assert all(one["text"] and one["arms"] for one in answer["left_out"])
    assert answer["trace"]["searched"] > len(answer["left_out"])
    nothing = fed("why", "short emails", "--until", "2001-01-01").stdout
    assert nothing.startswith("nothing has been recorded here that this scope and these filters let through\n")
    assert "0 of 0 candidates, of 0 searched\ncandidates: none\nmilliseconds: " in nothing


LABELS = [
    {"query": "How should emails look?", "answers": ["I prefer short emails"], "category": "style"},
    {"query": "What is my name?", "answers": ["My name is Ida"]},
    {"query": "Which quark is strange?", "answers": []},
]


@pytest.fixture
def labels(home: Path) -> Path:
    path = home / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, LABELS)))
    return path


def test_eval_tells_figures_by_configuration_and_category(fed: Run, labels: Path) -> None:
    shown = fed("eval", str(labels)).stdout
    assert "3 questions, 1 of them without an answer; 4,000 tokens" in shown
    assert re.search(r"^as it is +\d+\.\d .* 100\.0 +\d+\.\d$", shown, re.MULTILINE)
    assert re.search(r"^style \(1\) +\d.* –$", shown, re.MULTILINE)
    assert re.search(r"^no category \(2\) ", shown, re.MULTILINE)
    assert "1 question, 0 of them without an answer" in fed("eval", "-", given=json.dumps(LABELS[0])).stdout
    found = parsed(fed("eval", "-", "--json", "--budget", "50", given=labels.read_text()).stdout)
    assert (found["budget"], [run["name"] for run in found["runs"]]) == (50, ["as it is"])
    assert found["runs"][0]["questions"][1]["MRR"] == 1.0
    assert [question["where"] for question in found["questions"]] == [f"stdin, line {number}" for number in (1, 2, 3)]


def test_eval_compares_and_takes_away(fed: Run, labels: Path, home: Path) -> None:
    ways = "profile=balanced,profile=relevance+kinds=turn/fact+per_conversation=2,embedder=none"
    shown = fed("eval", str(labels), "--compare", ways, "--plot", "eval.png", "--seed", "3").stdout
    assert re.search(r"^profile=relevance\+kinds=turn/fact\+per_conversation=2 +[+-]\d", shown, re.MULTILINE)
    assert re.search(r"^embedder=none +\+0\.0 \[\+0\.0, \+0\.0\]", shown, re.MULTILINE)
    assert (home / "eval.png").read_bytes().startswith(b"\x89PNG")
    ablated = fed("eval", str(labels), "--ablate").stdout
    assert re.search(r"^no memory +(-\d+\.\d \[-[^]]*\]\* *)+$", ablated, re.MULTILINE)
    assert "skipped: without embedder: there is none" in ablated


def test_eval_tells_what_was_missed(fed: Run, labels: Path) -> None:
    asked = [{"query": f"What about quarks of kind {number}?", "answers": ["short emails"]} for number in range(12)]
    labels.write_text("\n".join(map(json.dumps, asked)))
    shown = fed("eval", str(labels)).stdout
    assert "missed: What about quarks of kind 9? (labels.jsonl, line 10)\nmissed: 2 more" in shown


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "labels.jsonl: the file is empty"),
        ("[]", "give a list of questions"),
        ('{"query": "x"}', 'labels.jsonl: there is no "answers"'),
        ('{"query": "x", "answers": ["tea"]}', "labels.jsonl, answer 1: no memory in this scope has the text 'tea'"),
    ],
)
def test_labels_that_are_none_are_told(fed: Run, labels: Path, content: str, told: str) -> None:
    labels.write_text(content)
    assert told in fed("eval", str(labels), exits=1).stderr


def test_labels_that_are_not_there_are_told(fed: Run) -> None:
    assert "There is no file or directory nowhere.jsonl" in fed("eval", "nowhere.jsonl", exits=1).stderr


@pytest.mark.parametrize("given", [(), ("--demo", "labels.jsonl")])
def test_an_evaluation_takes_one_set_of_labels(fed: Run, given: tuple[str, ...]) -> None:
    assert "not both" in fed("eval", *given, exits=2).stderr


def test_why_explains_one_memory(fed: Run) -> None:
    item = record(fed)["id"]
    assert re.search(r"place \d of \d: .*\n.*█", fed("why", "short emails", item).stdout)
    assert parsed(fed("why", "short emails", item, "--json").stdout)["place"]
    assert "not in the answer" in fed("why", "my name", item, "--limit", "1").stdout
    assert "narrows the question" in fed("why", "short emails", item, "--until", "2001-01-01").stdout


def test_why_draws_a_picture(fed: Run, home: Path) -> None:
    shown = fed("why", "short $x_1$ emails", "--json", "--plot", "why.png")
    assert shown.stderr.splitlines()[-1] == "drawn: why.png"
    assert parsed(shown.stdout)["trace"]
    assert (home / "why.png").read_bytes().startswith(b"\x89PNG")
    fed("why", "quantum chromodynamics", "--plot", "none.png")
    assert (home / "none.png").exists()
    assert "cannot be written" in fed("why", "emails", "--plot", "no/where.png", exits=1).stderr


def test_forget_asks_first(fed: Run) -> None:
    item = record(fed)["id"]
    assert "Forget record" in fed("forget", "--record", item, given="n\n", exits=1).stderr
    assert record(fed)["id"] == item
    fed("forget", "--record", item, given="y\n")
    assert "There is no record" in fed("history", item, exits=1).stderr


@pytest.mark.parametrize("given", ["", "n\n", "perhaps\n"])
def test_forget_that_is_not_confirmed_prints_nothing(fed: Run, given: str) -> None:
    assert fed("forget", "--everything", "--json", given=given, exits=1).stdout == ""
    assert record(fed)


def test_a_receipt_is_verified_without_a_memory(fed: Run, home: Path) -> None:
    fed("add", "I work at Zyxwvut Limited.")
    printed = fed("forget", "--value", "zyxwvut limited", "--for-good", "--yes", "--json").stdout
    assert "zyxwvut" not in printed.lower()
    assert "not recorded" in fed("add", "I work at Zyxwvut Limited.").stdout
    (home / "receipt.json").write_text(printed)
    (home / "changed.json").write_text(json.dumps(json.loads(printed) | {"target": "nothing"}))
    (home / "broken.json").write_text("{")
    (home / "other.json").write_text("[1]")
    nowhere = ("--db", "nowhere.db")
    assert "Nothing in this receipt was changed" in fed("verify-receipt", "receipt.json", *nowhere).stdout
    assert parsed(fed("verify-receipt", "-", "--json", given=printed).stdout)["verified"] is True
    assert "was changed" in fed("verify-receipt", "changed.json", exits=1).stdout
    assert "is no JSON" in fed("verify-receipt", "broken.json", exits=1).stderr
    assert "is no receipt" in fed("verify-receipt", "other.json", exits=1).stderr
    assert "There is no file" in fed("verify-receipt", "missing.json", exits=1).stderr
    assert not (home / "nowhere.db").exists()
    fed("forget", "--value", "Ida", "--everything", exits=2)


def test_forget_takes_conversations_and_everything(fed: Run) -> None:
    fed("add", "I prefer tea.", "--conversation", "c2")
    receipt = parsed(fed("forget", "--conversation", "c1", "--yes", "--json").stdout)
    assert receipt["removed"]["events"] == 3
    fed("forget", "--everything", "--yes")
    assert parsed(fed("stats", "--json").stdout)["events"] == 0


def test_export_is_json_lines_and_its_file_is_whole(fed: Run, home: Path) -> None:
    rows = [json.loads(line) for line in fed("export").stdout.splitlines()]
    assert rows[0]["format"].startswith("memstrata-export")
    assert rows[-1]["rows"] == len(rows) - 2
    assert fed("export", "--out", "out.jsonl").stdout == f"file   out.jsonl\nlines  {len(rows)}\n"
    assert [json.loads(line) for line in (home / "out.jsonl").read_text().splitlines()] == rows
    assert "cannot be written" in fed("export", "--out", "no/where.jsonl", exits=1).stderr
    assert not [path for path in home.iterdir() if path.name.startswith(".out")]


def test_stats_and_doctor_count(fed: Run) -> None:
    assert re.search(r"events +3\n", fed("stats").stdout)
    assert re.search(r"events by kind +turn 3\b", fed("stats", "--all-users").stdout)
    assert re.search(r"events by kind +none\n", fed("stats", "--user", "nobody").stdout)
    shown = fed("doctor", exits=1).stdout
    assert "problem: no embedder" in shown
    assert re.search(r"kind +sqlite\n", shown)


def test_reembed_gives_vectors_and_then_the_doctor_is_content(fed: Run) -> None:
    assert "no embedder" in fed("doctor", exits=1).stdout
    assert "without an embedder" in fed("reembed", exits=1).stderr
    assert re.search(r"space +hashed/\S+\nembedded +\d", fed("reembed", "--embedder", "hashed").stdout)
    assert "no problems" in fed("doctor", "--embedder", "hashed", "--all-users").stdout


def test_the_doctor_examines_everybody_or_those_named(fed: Run) -> None:
    for tenant, user in (("app", "ann"), ("app", "bob")):
        fed("add", "I live in Oslo.", "--tenant", tenant, "--user", user)
    assert re.search(r"examined +app/ann, app/bob, local/me\n", fed("doctor", exits=1).stdout)
    assert re.search(r"examined +app/ann, app/bob\n", fed("doctor", "--tenant", "app", exits=1).stdout)
    assert re.search(r"examined +app/bob\n", fed("doctor", "--tenant", "app", "--user", "bob", exits=1).stdout)
    assert re.search(r"examined +local/me\n", fed("doctor", "--all-users", exits=1).stdout)


def test_the_doctor_repairs(fed: Run, home: Path) -> None:
    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as raw:
        raw.execute("UPDATE events SET metadata = '{'")
        raw.execute("DELETE FROM passages")
    assert "damaged metadata (Expecting property name" in fed("doctor", exits=1).stdout
    shown = fed("doctor", "--repair", exits=1).stdout
    assert f"repaired: memory.db was copied to memory.db.v{migrations()[-1].version}-1.backup" in shown
    assert "written again" in shown
    assert "damaged" not in fed("doctor", exits=1).stdout
    assert json.loads(fed("stats", "--json").stdout)["passages"] >= 3


def test_the_next_embedder_is_prepared(fed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_NEXT_EMBEDDER", "hashed")
    assert re.search(r"embedded in hashed/\S+ +0.0%\n", fed("doctor", exits=1).stdout)
    fed("job", "reembed")
    assert re.search(r"embedded in hashed/\S+ +100.0%\n", fed("doctor", exits=1).stdout)
