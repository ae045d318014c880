"""Where a frame says that cards are."""


def box(card):
    """The upright box around a card as a frame has it: left, top, width and height."""
    frame, anchor = card["frame"], card["anchor"]
    pivot_x = frame["x"] + anchor["x"] * frame["width"]
    pivot_y = frame["y"] + anchor["y"] * frame["height"]
    corners = []
    for x in (frame["x"], frame["x"] + frame["width"]):
        for y in (frame["y"], frame["y"] + frame["height"]):
            corners.append(transformed(card, x - pivot_x, y - pivot_y))
    xs, ys = [pivot_x + x for x, _ in corners], [pivot_y + y for _, y in corners]
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]


def transformed(card, x, y):
    if "matrix3d" in card:
        m = card["matrix3d"]
        w = m[3] * x + m[7] * y + m[15]
        return (m[0] * x + m[4] * y + m[12]) / w, (m[1] * x + m[5] * y + m[13]) / w
    a, b, c, d, tx, ty = card["matrix"]
    return a * x + c * y + tx, b * x + d * y + ty


def compare(shown, frame, tolerance=1.0):
    """What the page shows is what the frame says: the same cards, in the same order, within this number of px."""
    expected = sorted(frame["cards"], key=lambda card: -card["z"])
    assert [card["index"] for card in shown] == [card["index"] for card in expected]
    for card, said in zip(shown, expected):
        assert card["role"] == said["role"]
        assert abs(card["opacity"] - said["opacity"]) < 0.01, (card, said)
        for number, other in zip(card["box"], box(said)):
            assert abs(number - other) <= tolerance, (card, box(said))
