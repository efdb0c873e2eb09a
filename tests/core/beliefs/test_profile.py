from datetime import timedelta

import pytest

from core.making import NOW, record
from memoranda.core.beliefs.profile import Leaf, held, narrate, project
from memoranda.core.rows import Record


def said(number: int, attribute: str | None = None, value: object = None, **more: object) -> Record:
    return record(**{"id": f"r{number}", "hash": f"h{number}", "text": f"Text {number}", "attribute": attribute,
                     "value": value, **more})  # fmt: skip


def test_a_path_is_a_place_in_the_scaffold() -> None:
    profile = project([said(1, "work.employer", "Acme"), said(2, "work.role", "clerk")], NOW)
    assert profile.plain() == {"work": {"employer": "Acme", "role": "clerk"}}
    assert profile.scaffold["work"]["employer"] == Leaf(
        value="Acme", confidence=0.95, sources=(), since=NOW, record="r1"
    )


def test_several_values_stand_side_by_side() -> None:
    assert project([said(n, "hobby", value) for n, value in enumerate(["chess", "go", "tennis"])], NOW).plain() == {
        "hobby": ["chess", "go", "tennis"]
    }


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_value_where_a_branch_grows_stands_under_is(order: tuple[int, int]) -> None:
    rows = {1: said(1, "goal", "sail"), 2: said(2, "goal.deadline", "May")}
    timed = [
        said(n, rows[n].attribute, rows[n].value, valid_from=NOW + timedelta(hours=i)) for i, n in enumerate(order)
    ]
    plain = project(timed, NOW + timedelta(days=1)).plain()
    assert plain == {"goal": {"is": "sail", "deadline": "May"}}


def test_what_has_no_attribute_is_listed_by_kind() -> None:
    rows = [
        said(1),
        said(2, kind="preference"),
        said(3, kind="decision"),
        said(4, kind="plan"),
        said(5, kind="reflection"),
    ]
    assert project(rows, NOW).plain() == {
        "facts": "Text 1", "preferences": "Text 2", "decisions": "Text 3", "plans": "Text 4",
    }  # fmt: skip


def test_what_is_denied_is_told_in_words_or_not_at_all() -> None:
    gone = said(1, "work.employer", "Acme", polarity=-1)
    dislikes = said(2, "preference.tea", "tea", polarity=-1, kind="preference", text="User does not like tea")
    assert project([gone, dislikes], NOW).plain() == {"preference": {"tea": "User does not like tea"}}


def test_a_plan_is_no_value() -> None:
    plan = said(2, "location.city", "Oslo", temporal="future", text="User moves to Oslo in June.")
    rows = [said(1, "location.city", "Rome"), plan, said(3, "hobby", "chess", temporal="future")]
    told = {"location": {"city": "Rome"}, "plans": "User moves to Oslo in June.", "hobby": "chess"}
    assert project(rows, NOW).plain() == told


def test_others_stand_under_people() -> None:
    assert project([said(1, "location.city", "Oslo", subject="greta"), said(2, subject=None)], NOW).plain() == {
        "people": {"greta": {"location": {"city": "Oslo"}}, "": {"facts": "Text 2"}}
    }


def test_what_was_learned_stands_by_connection() -> None:
    profile = project([said(1, connection="jira"), said(2, category="learning"), said(3, connection="jira")], NOW)
    assert {name: [leaf.value for leaf in leaves] for name, leaves in profile.learned.items()} == {
        "": ["Text 2"], "jira": ["Text 1", "Text 3"],
    }  # fmt: skip
    assert profile.plain() == {}


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({}, True),
        ({"status": "disputed"}, True),
        ({"status": "rejected"}, False),
        ({"valid_from": NOW + timedelta(seconds=1)}, False),
        ({"valid_to": NOW}, False),
        ({"valid_to": NOW + timedelta(seconds=1)}, True),
        ({"kind": "observation"}, False),
    ],
)
def test_what_holds_is_shown(values: dict[str, object], shown: bool) -> None:
    assert bool(held([said(1, **values)], NOW)) is shown


def test_the_strongest_comes_first() -> None:
    rows = [said(1, importance=0.2), said(2, importance=0.9), said(3, importance=0.9)]
    assert project(rows, NOW).narrative == "Text 2. Text 3. Text 1."


def test_the_narrative_is_bounded_by_words() -> None:
    rows = [said(n, text=text) for n, text in enumerate(["One two.", "three four five", "six!", "七。"])]
    assert narrate(rows) == "One two. three four five. six! 七。"
    assert narrate(rows, words=4) == "One two."
    assert narrate([]) == ""
