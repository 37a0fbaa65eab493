"""Read the records of a WARC: read_warc.py IN

An ordinary script with fastwarc, as a peer to measure against. It parses no HTTP headers and writes nothing, which saves time.
"""

import sys

from fastwarc.warc import ArchiveIterator


def main(source):
    records = 0
    with open(source, "rb") as archive:
        for record in ArchiveIterator(archive, parse_http=False):
            record.reader.read()
            records += 1
    print(records)


if __name__ == "__main__":
    main(*sys.argv[1:])
