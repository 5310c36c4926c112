"""Why a request was refused or failed, as keys of the page's catalogue, which words them in the person's language.

The English sentence of an error stays what every other door shows. What a key's sentence names stands in the error's
fields; the page's compiler holds its catalogues against this list.
"""

from typing import Literal

Why = Literal[
    # --- a message or an ask ---
    "messageEmpty",
    "messageTooLong",
    "timeoutOutOfRange",
    "turnEnded",
    "queueFull",
    "runsAsTerminal",
    "stillInTurn",
    "ended",
    "endedBeforeMessage",
    "endedUnseen",
    "agentDeleted",
    "faultOfIdea",
    "serverEnded",
    # --- starting and stopping an agent ---
    "runsAlready",
    "runsInOtherView",
    "runsOnAnotherServer",
    "noTerminalView",
    "noChatView",
    "noEngine",
    "notOnPath",
    "variableMissing",
    "cannotStart",
    "endedAtOnce",
    "notReady",
    "stoppedWhileStarting",
    "doesNotEnd",
    "cliInstructionsTooLong",
    "terminalDeaf",
    # --- an agent's file, settings ---
    "fileBroken",
    "fileOfAnother",
    "agentChanged",
    "nameInvalid",
    "profileInvalid",
    "modelInvalid",
    "workspaceInvalid",
    "slugInvalid",
    "instructionsTooLong",
    "secondsOutOfRange",
    "localeUnknown",
    "keeperUnknown",
    # --- trust ---
    "fileChanged",
    "filesChanged",
    "cannotBeApproved",
    # --- a project ---
    "pathNotWhole",
    "noFolder",
    "notAFolder",
    "folderUnusable",
    "pathNotText",
    "wholeMachine",
    "folderNotWritable",
    "linkInTheWay",
    "somethingInTheWay",
    "openElsewhere",
    "opensTooSlowly",
    "doesNotClose",
    "doesNotOpen",
    # --- files and sockets ---
    "folderOfAnother",
    "nameTaken",
    "nameUnusable",
    "fileUnusable",
    "recordUnreadable",
    "recordUnwritable",
    "cannotListen",
    "socketPathTooLong",
    # --- a request that does not fit ---
    "doesNotFit",
]
