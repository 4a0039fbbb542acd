"""Very many threads and a small pool. Where there is no Java 21 or later, this is not run, and says so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook


def crowd(*arguments: str) -> list[dict]:
    done = workbook("jbang", "virtual-threads", *arguments, "--json")
    if "no Java 21 or later found" in done.stderr:
        pytest.skip("no Java 21 or later here")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_way_lends_to_a_small_crowd() -> None:
    names = "SYNCHRONIZED,LOCK,SEMAPHORE,THREAD_LOCAL,BLOCKING_QUEUE_POOL,HIKARI_BAG,JACKSON_BOUNDED"
    rows = {row["way"]: row for row in crowd("--ways", names, "--threads", "100", "--objects", "4")}
    assert set(rows) == set(names.split(","))
    for way, row in rows.items():
        assert row["is_through"], f"{way}: {row['where_they_wait']}"
        assert row["borrows_done"] == 200
        assert row["jdk"] >= 21
    assert rows["BLOCKING_QUEUE_POOL"]["objects_made"] == 4
    assert rows["THREAD_LOCAL"]["objects_made"] == 100
    assert rows["JACKSON_BOUNDED"]["objects_kept"] <= 4


def test_pinned_threads_are_counted() -> None:
    ways = ["--ways", "SYNCHRONIZED,LOCK", "--threads", "20", "--borrows", "1", "--events"]
    rows = {row["way"]: row for row in crowd(*ways)}
    assert rows["LOCK"]["pinned"] == 0
    assert rows["SYNCHRONIZED"]["pinned"] == (20 if rows["SYNCHRONIZED"]["jdk"] < 24 else 0), "JEP 491 is in 24"


def test_what_stands_still_is_stopped_and_shows_where() -> None:
    slow = ["--ways", "BLOCKING_QUEUE_POOL", "--objects", "1", "--threads", "50", "--hold", "200", "--limit", "2"]
    (row,) = crowd(*slow)
    assert row["is_through"] is False
    assert "BlockingQueuePool.borrow" in row["where_they_wait"]


def test_the_stacks_of_a_run_that_stands_still_are_kept(tmp_path: Path) -> None:
    slow = ["--ways", "BLOCKING_QUEUE_POOL", "--objects", "1", "--threads", "50", "--hold", "200", "--limit", "2"]
    folder = tmp_path / "stacks"
    crowd(*slow, "--dump", str(folder))
    (file,) = folder.glob("*.json")
    containers = json.loads(file.read_text(encoding="utf-8"))["threadDump"]["threadContainers"]
    stacks = [" ".join(thread["stack"]) for container in containers for thread in container["threads"]]
    assert sum("BlockingQueuePool.borrow" in stack for stack in stacks) > 10, "virtual threads are in it, too"
    is_one_clear_line(workbook("jbang", "virtual-threads", *slow, "--dump", folder), "is not empty")


def test_a_run_that_fails_is_said_and_the_others_are_kept(pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    text = pool.read_text(encoding="utf-8")
    spoilt = text.replace(
        "public MyPool(", "static { if (true) throw new IllegalStateException(); }\n  public MyPool(", 1
    )
    assert spoilt != text
    file.write_text(spoilt, encoding="utf-8")
    words = ["--ways", "SEMAPHORE,YOURS", "--yours", file, "--threads", "5"]
    done = workbook("jbang", "virtual-threads", *words, "--json")
    if "no Java 21 or later found" in done.stderr:
        pytest.skip("no Java 21 or later here")
    good, bad = json.loads(done.stdout)
    assert good["is_through"] is True
    assert (bad["is_through"], bad["seconds"]) == (False, None)
    assert "YOURS failed in its JVM" in done.stderr
    assert "\tat " not in done.stderr


def test_a_pool_that_lends_one_object_to_all_is_found_out(pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    text = pool.read_text(encoding="utf-8")
    generous = re.sub(r"(public T borrow\([^{]*\{)", r"\1 if (true) { return first; }", text)
    generous = generous.replace("public MyPool(", "private volatile T first;\n  public MyPool(", 1)
    generous = re.sub(r"(public MyPool\([^{]*\{)", r"\1 first = factory.get();", generous, count=1)
    generous = re.sub(r"(public void release\([^{]*\{)", r"\1 if (true) { return; }", generous, count=1)
    file.write_text(generous, encoding="utf-8")
    done = workbook("jbang", "virtual-threads", "--ways", "YOURS", "--yours", file, "--threads", "50", "--json")
    if "no Java 21 or later found" in done.stderr:
        pytest.skip("no Java 21 or later here")
    assert "it lends an object that another thread has" in done.stderr


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return factory.get();", "it has made more than its 4 objects"),
        ("return null;", "it lends null"),
    ],
)
def test_a_pool_that_lends_what_it_must_not_is_found_out(body: str, said: str, pool: Path, tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    text = pool.read_text(encoding="utf-8")
    text = re.sub(r"(public T borrow\([^{]*\{)", rf"\1 if (true) {{ {body.replace('factory', 'made')} }}", text)
    text = text.replace("public MyPool(", "private volatile Supplier<? extends T> made;\n  public MyPool(", 1)
    text = re.sub(r"(public MyPool\([^{]*\{)", r"\1 made = factory;", text, count=1)
    file.write_text(re.sub(r"(public void release\([^{]*\{)", r"\1 if (true) { return; }", text, count=1))
    options = ["--ways", "YOURS", "--yours", file, "--threads", "50", "--objects", "4", "--json"]
    done = workbook("jbang", "virtual-threads", *options)
    if "no Java 21 or later found" in done.stderr:
        pytest.skip("no Java 21 or later here")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--threads", "0"], "--threads"),
        (["--ways", "NOTHING"], "NOTHING"),
        (["--jdk", "17"], "--jdk must be from 21"),
        (["--limit", "0"], "--limit"),
        (["--ways", ","], "--ways needs at least one value"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", "virtual-threads", *arguments), said)
