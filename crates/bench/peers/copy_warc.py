"""Copy the records of a WARC: copy_warc.py IN OUT

An ordinary script with warcio, as a peer to measure against. It reads no HTTP headers, which saves time.
"""

import sys

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter


def main(source, target):
    records = 0
    with open(source, "rb") as archive, open(target, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for record in ArchiveIterator(archive, no_record_parse=True):
            writer.write_record(record)
            records += 1
    print(records)


if __name__ == "__main__":
    main(*sys.argv[1:])
