"""The types of the client module, and the TypeScript compiler."""

import pathlib
import shutil
import subprocess

REPOSITORY = pathlib.Path(__file__).parents[2]
TYPES = REPOSITORY / "Sources/DeckService/Web/Client/deckd.d.ts"
COMMAND = "tsc --noEmit --strict --target es2022 --module es2022 --moduleResolution node --lib es2022,dom".split()


def complaints(folder, file):
    """What the compiler reports about a file in a folder, with the types of the module beside it."""
    shutil.copy(TYPES, folder)
    checked = subprocess.run(COMMAND + [file], cwd=folder, capture_output=True, text=True)
    return checked.stdout + checked.stderr
