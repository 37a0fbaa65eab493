"""Pictures of pages: PNG read without a library, and compared."""

import struct
import zlib


def pixels(data):
    """The rows of a PNG with eight bits for a colour, as browsers write it, without their alpha."""
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data[at + 8:at + 21])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    assert depth == 8 and colour in (2, 6) and not interlaced, "a picture of another kind"
    step = 3 if colour == 2 else 4
    raw, rows, above = zlib.decompress(packed), [], bytes(width * step)
    for row in range(height):
        start = row * (width * step + 1)
        above = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + width * step]), above, step)
        rows.append(above)
    return [[bytes(row[x:x + 3]) for x in range(0, len(row), step)] for row in rows]


def unfiltered(kind, line, above, step):
    """A line of a PNG (PNG, section 9)."""
    for x in range(len(line)):
        left = line[x - step] if x >= step else 0
        corner = above[x - step] if x >= step else 0
        if kind == 1:
            line[x] = (line[x] + left) & 255
        elif kind == 2:
            line[x] = (line[x] + above[x]) & 255
        elif kind == 3:
            line[x] = (line[x] + (left + above[x]) // 2) & 255
        elif kind == 4:
            guess = left + above[x] - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - above[x]), 1, above[x]), (abs(guess - corner), 2, corner))
            line[x] = (line[x] + nearest[2]) & 255
    return bytes(line)


def difference(one, other):
    """The share of pixels of which a colour differs by more than a little."""
    if len(one) != len(other) or len(one[0]) != len(other[0]):
        return 1.0
    different = sum(
        1
        for row, other_row in zip(one, other) if row != other_row
        for a, b in zip(row, other_row) if a != b and max(abs(x - y) for x, y in zip(a, b)) > 16
    )
    return different / (len(one) * len(one[0]))


def one_colour(side, colour):
    """A PNG of a square of one colour, given as three numbers."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(colour) * side) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
