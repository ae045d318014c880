"""The types of the client module, and the TypeScript compiler."""

import pathlib
import shutil
import subprocess

REPOSITORY = pathlib.Path(__file__).parents[2]
TYPES = REPOSITORY / "Sources/DeckService/Web/Client/deckd.d.ts"
ELEMENT_TYPES = REPOSITORY / "Sources/DeckService/Web/swipe-deck.d.ts"
COMMAND = "tsc --noEmit --strict --target es2022 --module es2022 --moduleResolution node".split()


def complaints(folder, *files, libraries="es2022,dom"):
    """What the compiler reports about files in a folder, with the types of the module and the element beside it."""
    for types in (TYPES, ELEMENT_TYPES):
        shutil.copy(types, folder)
    checked = subprocess.run([*COMMAND, "--lib", libraries, *files], cwd=folder, capture_output=True, text=True)
    return checked.stdout + checked.stderr
