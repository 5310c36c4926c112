"""A program in a terminal with a prompt that tells its status, and a peculiarity (`argv[1]`). Run alone, not imported.

What it reads goes to the file `argv[2]`, each read as it came.
"""

import os
import sys
import tty

PECULIARITY, FILE = sys.argv[1:3]
CLEAR = "\x1b[2J\x1b[H"


def write(text: str) -> None:
    os.write(1, text.encode())


def said(*states: str) -> str:
    return "".join(f"\x1b]7501;state={state}:app=x\x07" for state in states)


def on_enter(number: int) -> str:
    """What it writes at its Enter of this number, from 1."""
    match PECULIARITY:
        case "swallows" if number == 1:
            return ""
        case "never":
            return ""
        case "lists":
            return f"{CLEAR}1. this one\r\n2. that one\r\n"
        case "asks":
            return said("blocked:kind=permission")
        case "quick":
            return said("working", "done")
        case "fails":
            return said("error")
        case "ends":
            sys.exit(3)
        case "titled":
            return "\x1b]0;busy\x07\x1b]0;at rest\x07"
        case _:
            return said("working")


tty.setraw(0)
if PECULIARITY != "plain":
    write("\x1b[?2004h")
write("\x1b]0;at rest\x07" if PECULIARITY == "titled" else said("idle"))
write("> ")
got, enters = b"", 0
while data := os.read(0, 65536):
    got += data
    with open(FILE, "ab") as file:
        file.write(data)
    is_in_paste = got.rfind(b"\x1b[200~") > got.rfind(b"\x1b[201~")
    if data.endswith(b"\r") and not is_in_paste:
        enters += 1
        write(on_enter(enters))
    elif PECULIARITY == "askedMeanwhile":
        write(said("blocked:kind=permission"))
    else:
        write("[text]")
