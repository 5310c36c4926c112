"""Does a check tell every failure, with all that the failed tool said?"""

import sys

import pytest

from scripts.steps import Step, run_lanes


def step(name: str, source: str) -> Step:
    return Step(name, [sys.executable, "-I", "-S", "-c", source])


def test_a_failure_stops_no_other_step_and_shows_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    passed = run_lanes(
        [step("first", "raise SystemExit('\\x1b[31mwhy\\x1b[0m it failed')"), step("second", "print('quiet')")],
        [step("third", "raise SystemExit(2)")],
    )

    told = capsys.readouterr().out
    assert not passed
    assert "ok     second" in told
    assert told.count("FAILED") == 2
    assert "\nwhy it failed\n" in told
    assert "quiet" not in told


def test_all_well_is_told_in_a_line_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    passed = run_lanes([step("only", "print('quiet')")])

    assert passed
    assert len(capsys.readouterr().out.splitlines()) == 1
