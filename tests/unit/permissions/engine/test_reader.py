"""The reader of shell text agrees with a second one wherever that one reads without an error."""

import os
import re

import tree_sitter_bash
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Language, Parser, Query, QueryCursor

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.simple import read_commands

LANGUAGE = Language(tree_sitter_bash.language())
NAMES = Query(LANGUAGE, "(command_name) @name")
# What the second reader is known to read otherwise than bash does: it stands for itself there.
MISREAD = (
    "\\\n",
    "<<",
    "time ",
    "coproc",
    "! !",
    "\r",
    "((",
    "{ ",
    "!",
    "[[",
    "function",
    "()",
    "#",
    "`",
    "=",
)
JOINED = re.compile(r"[^ \n(]<\(")
PIECES = st.sampled_from(
    [
        *(
            "mytool",
            "othertool a",
            "x",
            "'a b'",
            '"c d"',
            "$HOME",
            "$(one)",
            "<(two)",
            "-n",
            "*.txt",
            "2>&1",
            ">f",
        ),
        *(
            " ",
            " ",
            "; ",
            " && ",
            " || ",
            " | ",
            "\n",
            " & ",
            "(",
            ")",
            "if three; then ",
            "; fi",
            "; done",
        ),
        *(
            "while four; do ",
            "for i in a b; do ",
            "${x:-$(five)}",
            '"$(six)"',
            "<<< y",
            "case x in x) ",
            ";; esac",
        ),
    ]
)


def named_places(call: Call) -> set[int]:
    return {inner.args[0].start for inner in call.all()}


def seen_by_the_second(text: str) -> list[int] | None:
    tree = Parser(LANGUAGE).parse(text.encode())
    if tree.root_node.has_error:
        return None
    found = QueryCursor(NAMES).captures(tree.root_node)
    return [node.start_byte for node in found.get("name", [])]


@given(st.lists(PIECES, max_size=14).map("".join))
@settings(max_examples=int(os.environ.get("ENGINE_EXAMPLES", "300")), deadline=None)
def test_every_command_that_a_second_reader_sees_is_seen(text: str) -> None:
    if any(sign in text for sign in MISREAD) or JOINED.search(text):
        return
    places = seen_by_the_second(text)
    findings = read_commands(text, "/w", "/h")
    if places is None or any(hindrance.unknown for hindrance in findings.hindrances):
        return
    ours = set().union(*(named_places(call) for call in findings.calls)) if findings.calls else set()
    assert set(places) <= ours, text


def calls(text: str) -> list[list[str | None]]:
    return [[arg.value for arg in call.args] for call in read_commands(text, "/w", "/h").calls]


def test_a_line_continued_within_a_word_is_one_word() -> None:
    assert calls("bad\\\ncmd x\\\ny") == [["badcmd", "xy"]]


def test_two_here_documents_of_one_line_are_read_one_after_the_other() -> None:
    assert calls("one <<A <<'B'\n$(two)\nA\n$(three)\nB\nfour") == [["two"], ["one"], ["four"]]


def test_back_ticks_in_a_here_document_run() -> None:
    assert calls("one <<A\n`two \\`three\\``\nA") == [["three"], ["two", None], ["one"]]


def test_what_came_before_unreadable_text_is_still_seen() -> None:
    findings = read_commands('one\ntwo "', "/w", "/h")
    assert [call.name for call in findings.calls] == ["one"]
    assert findings.hindrances[0].unknown


def test_a_variable_is_known_only_after_its_assignment() -> None:
    assert calls("f=a one $f; two $f") == [["one", None], ["two", None]]
    assert calls("f=a; one $f") == [["one", "a"]]
    assert calls("f='a b'; one $f \"$f\"") == [["one", "a", "b", "a b"]]


def test_both_folders_count_where_a_cd_may_have_failed() -> None:
    folders = [call.folders for call in read_commands("cd a && one; two", "/w", "/h").calls]
    assert folders == [("/w",), ("/w/a",), ("/w/a", "/w")]


def test_a_folder_entered_in_a_subshell_is_left_with_it() -> None:
    folders = [call.folders for call in read_commands("(cd a; one); two", "/w", "/h").calls]
    assert folders == [("/w",), ("/w/a", "/w"), ("/w",)]
