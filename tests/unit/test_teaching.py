"""The teacher's page: every round has its minutes and its words, and the plans add up."""

from __future__ import annotations

import pytest

from poolbook.upkeep import teaching

LESSONS = dict(teaching._lessons())


@pytest.mark.parametrize("number", LESSONS)
def test_every_round_says_what_a_teacher_needs(number: str) -> None:
    book = LESSONS[number]
    notes = book.metadata["workbook"]["teaching"]
    assert 5 <= notes["exercise"] <= 15
    assert len(notes["rounds"]) == len(teaching.titles(book)) >= 3
    for text in (notes["say"], notes["elsewhere"], *(of_round["wrong"] for of_round in notes["rounds"])):
        assert text[-1] in ".?!"
    for of_round in notes["rounds"]:
        assert 2 <= of_round["minutes"] <= 15
        assert of_round["ask"].endswith("?")
        assert isinstance(of_round["keep"], bool)
    kept = sum(of_round["minutes"] for of_round in notes["rounds"] if of_round["keep"])
    assert 8 <= kept <= 32, "what is kept fits half an hour"


@pytest.mark.parametrize("name", teaching.PLANS)
def test_a_plan_has_breaks_and_names_lessons_that_exist(name: str) -> None:
    minutes = 0
    for step in teaching.PLANS[name]:
        assert step.minutes or step.what in LESSONS
        minutes = 0 if step.what in (teaching.BREAK, "lunch") else minutes + teaching._length(step, LESSONS)
        assert minutes <= 100, f"no break for {minutes} minutes before {step.what}"


def test_a_learners_copy_does_not_give_the_answers_away() -> None:
    from poolbook.upkeep.sources import learners_copy

    copy = learners_copy(LESSONS["03"])
    assert "workbook" not in copy.metadata
