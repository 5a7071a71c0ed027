"""The QR code of an address, for a participant with a telephone or a tablet: two modules a cell, one above the other."""

BORDER = 2
"""Light modules around the code; four are the standard's (ISO/IEC 18004), two do where the screen around is plain."""


def qr_lines(address: str, *, dark: bool) -> list[str]:
    """Return the code as lines of a terminal: light modules are drawn on a dark screen, dark ones on a light screen."""
    import segno  # only a page wants it: the console's first painting does not wait for it

    rows = [list(row) for row in segno.make(address, error="l", micro=False).matrix_iter(border=BORDER)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    drawn = 0 if dark else 1
    cells = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return [
        "".join(cells[above == drawn, below == drawn] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
