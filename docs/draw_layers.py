"""The map of the packages, drawn from the import contracts of pyproject.toml: `python docs/draw_layers.py`.

Each band is a layer: what stands in it may import what stands below it, and nothing above or beside it. The sentences are the
first lines of the packages' docstrings.
"""

import ast
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "layers.svg"
WIDTH, GAP, LINE, PAD = 1000, 10, 17, 12
CHARACTER = 7.3  # of 12 px monospace

Layer = list[str]


def contracts() -> dict[str, list[Layer]]:
    """The layers inside each package, top to bottom; those of the house under the empty name."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    found = [contract for contract in listed if contract["type"] == "layers"]
    return {
        "".join(contract.get("containers", [""])): [
            [name.strip() for name in layer.split("|")] for layer in contract["layers"]
        ]
        for contract in found
    }


def purpose(package: str) -> str:
    """The first line of the docstring of a package."""
    text = (ROOT / package.replace(".", "/") / "__init__.py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def wrapped(text: str, width: float) -> list[str]:
    """The text in lines that fit a box of this width."""
    lines, room = [""], int((width - 2 * PAD) / CHARACTER)
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        lines[-1:] = [joined] if len(joined) <= room else [lines[-1], word]
    return lines


def box(package: str, inner: list[Layer], width: float) -> list[tuple[str, str]]:
    """The lines of a package with their classes: its name, its purpose, its own layers."""
    found = [("name", package), *(("purpose", line) for line in wrapped(purpose(package), width))]
    return found + [("inner", line) for layer in inner for line in wrapped("▸ " + " · ".join(layer), width)]


def draw() -> str:
    """The map as an SVG that asks no other file for anything."""
    layers = contracts()
    shapes, top = list[str](), GAP
    for band in layers[""]:
        width = (WIDTH - GAP * (len(band) + 1)) / len(band)
        boxes = [box(package, layers.get(package, []), width) for package in band]
        height = 2 * PAD + LINE * max(map(len, boxes)) - 4
        for place, lines in enumerate(boxes):
            left = GAP + place * (width + GAP)
            shapes.append(f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{height}" rx="6"/>')
            shapes += [
                f'<text x="{left + PAD:.0f}" y="{top + PAD + LINE * row + 10}" class="{kind}">{escape(line, quote=False)}</text>'
                for row, (kind, line) in enumerate(lines)
            ]
        top += height + GAP
    style = (
        "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}.name{font-weight:bold;font-size:14px}"
        ".inner{fill:#555}rect{fill:#f4f6fa;stroke:#8a94a6}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img">'
    title = "<title>The packages of Curtain; imports point downward</title>"
    return "\n".join([head, title, f"<style>{style}</style>", *shapes, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
