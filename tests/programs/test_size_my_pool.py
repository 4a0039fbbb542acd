"""How many objects a pool needs: the command."""

from __future__ import annotations

import json

import pytest

from launch import is_one_clear_line, workbook


def sizes(*arguments: str) -> list[dict]:
    done = workbook("jbang", "size-my-pool", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_first_size_that_is_enough_is_marked_and_two_more_are_shown() -> None:
    rows = sizes("--rate", "200", "--hold", "12ms", "--wait-p99", "10ms")
    enough = [row["is_enough"] for row in rows]
    assert enough == sorted(enough)
    assert enough.count(True) == 3
    for row in rows:
        assert row["busy_percent"] == pytest.approx(100 * 2.4 / row["objects"])
        assert row["simulated_wait_p99_ms"] == pytest.approx(row["wait_p99_ms"], rel=0.1, abs=0.5)


def test_irregular_holds_need_more() -> None:
    few = sizes("--rate", "200", "--hold", "12ms", "--hold-p99", "20ms", "--wait-p99", "10ms")
    many = sizes("--rate", "200", "--hold", "12ms", "--hold-p99", "150ms", "--wait-p99", "10ms")
    first = [next(row["objects"] for row in rows if row["is_enough"]) for rows in (few, many)]
    assert first[0] < first[1]


def test_two_borrows_need_enough_to_go_on_at_all() -> None:
    rows = sizes("--rate", "10", "--hold", "1ms", "--wait-p99", "1s", "--borrows", "2", "--threads", "8")
    assert rows[0]["objects"] == 9


def test_what_only_the_threads_ask_for_is_told_apart_from_the_load() -> None:
    options = ["--rate", "10", "--hold", "1ms", "--wait-p99", "1s", "--borrows", "2"]
    done = workbook("jbang", "size-my-pool", *options, "--threads", "8")
    assert "Take 9 objects" in done.stdout
    assert "The load alone needs 2:" in done.stdout


def test_the_answer_is_a_sentence() -> None:
    done = workbook("jbang", "size-my-pool", "--rate", "200", "--hold", "12ms", "--wait-p99", "10ms")
    assert "On average 2.4 objects are out" in done.stdout.replace("2.40", "2.4")
    assert "<- enough" in done.stdout
    assert "Take " in done.stdout


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--rate": "0"}, "--rate must be above 0"),
        ({"--rate": "NaN"}, "--rate must be above 0"),
        ({"--hold": "12"}, "--hold must be a time"),
        ({"--hold": "0ms"}, "--hold must be a time"),
        ({"--wait-p99": "1.2.3ms"}, "--wait-p99 must be a time"),
        ({"--hold-p99": "1ms"}, "--hold-p99 must be from 1 to 14 times --hold"),
        ({"--hold-p99": "1s"}, "--hold-p99 must be from 1 to 14 times --hold"),
        ({"--rate": "1000000", "--hold": "1s"}, "more than a pool can help with"),
        ({"--borrows": "0"}, "--borrows must be from 1 to 100"),
    ],
)
def test_bad_input_is_refused_in_one_line(changed: dict[str, str], said: str) -> None:
    options = {"--rate": "200", "--hold": "12ms", "--wait-p99": "10ms"} | changed
    is_one_clear_line(workbook("jbang", "size-my-pool", *(word for pair in options.items() for word in pair)), said)


def test_who_takes_one_after_the_other_is_told_how_many_threads_are_safe() -> None:
    done = workbook("jbang", "size-my-pool", "--rate", "200", "--hold", "12ms", "--wait-p99", "10ms", "--borrows", "3")
    assert "safe for up to 8 threads" in done.stdout


def test_too_few_threads_for_the_load_are_refused() -> None:
    same = ["--rate", "200", "--hold", "12ms", "--wait-p99", "10ms"]
    is_one_clear_line(workbook("jbang", "size-my-pool", *same, "--threads", "2"), "--threads 2 can have 2")
    same = ["--rate", "200", "--hold", "45ms", "--wait-p99", "1ms", "--threads", "10"]
    said = "18 objects would be enough, but --threads 10 can never hold more than 10"
    is_one_clear_line(workbook("jbang", "size-my-pool", *same), said)


def test_who_takes_two_at_once_waits_as_long_as_who_takes_one_of_half_as_many() -> None:
    same = ["--rate", "70", "--hold", "10ms", "--wait-p99", "30ms"]
    one, two = sizes(*same), sizes(*same, "--borrows", "2")
    assert [2 * row["objects"] for row in one] == [row["objects"] for row in two]
    for column in ("busy_percent", "wait_mean_ms", "wait_p99_ms", "simulated_wait_mean_ms", "is_enough"):
        assert [row[column] for row in one] == pytest.approx([row[column] for row in two]), column


def test_a_size_at_its_very_limit_is_neither_simulated_nor_enough() -> None:
    """A simulation begins with an idle pool, and here the queue grows for hours."""
    common = ["--rate", "1000", "--hold", "9.999ms", "--wait-p99", "2s"]
    rows = sizes(*common, "--hold-p99", "46ms")
    assert (rows[0]["objects"], rows[0]["simulated_wait_p99_ms"], rows[0]["is_enough"]) == (10, None, False)
    assert rows[1]["is_enough"]
    exact = sizes("--rate", "100", "--hold", "290ms", "--hold-p99", "1.3s", "--wait-p99", "15s")
    assert exact[0]["objects"] == 30  # in floating point, 29 objects serve a bit more than 100 x 0.29


def test_sizes_between_two_requests_are_not_asked_for() -> None:
    options = ["--rate", "100", "--hold", "40ms", "--borrows", "2", "--threads", "10", "--wait-p99", "10ms"]
    assert next(row["objects"] for row in sizes(*options) if row["is_enough"]) == 18
