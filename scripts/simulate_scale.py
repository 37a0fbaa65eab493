#!/usr/bin/env python3
"""Simulates a job over the archives of one crawl of the web on a cluster, with what goes wrong.

    simulate_scale.py            the table of docs/scale.md
    simulate_scale.py --seed 2   the same with other random numbers

A task costs a start and time by its bytes; the driver starts some tasks a second. These, and how much the time of equal tasks differs, are
measured (docs/scale.md says how); they are the constants below. Files are handed out as Spark does: the largest first, each to the core that is
free first. No network is used, and no file is read.
"""

import argparse
import heapq
import random
import statistics

# Measured on one core (docs/scale.md): seconds for a GiB of gzip, of archives that inflate as those of the crawl do.
SECONDS_FOR_GIB = {"links": 70.8, "graph": 28.9, "rewrite": 75.4}
SPREAD = 0.21
TASK_START = 0.1
TASKS_A_SECOND = 20
# Edges between pages: 47,000 pages, 36 links each, 0.52 edges for a link; bytes of a row before compression; rows that a core adds up.
EDGES_FOR_GIB = 880_000
EDGE_BYTES = 190
EDGES_A_SECOND = 81_000

# A crawl (the mean of its announcement; how much sizes differ is assumed), and a cluster for it.
FILES = 90_000
GIB = 0.95
SIZE_SPREAD = 0.05
CORES = 200
CORES_OF_EXECUTOR = 8
PIECE_GIB = 16
ROWS_A_LIST = 1_000
SECONDS_A_LIST = 0.2
MOST_ATTEMPTS = 4


def sizes(random_numbers, huge_gib=0.0, files=FILES, gib=GIB):
    """Returns the sizes of files in GiB, of which one may be huge."""
    found = [max(0.01, random_numbers.gauss(gib, gib * SIZE_SPREAD)) for _ in range(files)]
    return found + [huge_gib] * (huge_gib > 0)


def pieces(found, piece_gib):
    """Returns the sizes of the tasks of these files, if those over a size are split."""
    tasks = []
    for size in found:
        count = max(1, -int(-size // piece_gib))
        tasks += [size / count] * count
    return tasks


class Cluster:
    """Cores that take one task after the other."""

    def __init__(self, random_numbers, seconds_for_gib, slow_share=0.0, losses=0, last_wave="as it comes"):
        """Describes a cluster; `losses` are executors that end in the first hour of work, each at a random time."""
        self.random = random_numbers
        self.seconds_for_gib = seconds_for_gib
        executors = CORES // CORES_OF_EXECUTOR
        slow = random_numbers.sample(range(executors), round(slow_share * executors))
        self.speed = [1 / 3 if executor in slow else 1.0 for executor in range(executors)]
        chosen = random_numbers.sample(range(executors), losses)
        self.lost_at = {executor: random_numbers.uniform(600, 3600) for executor in chosen}
        self.last_wave = last_wave

    def seconds(self, size, executor):
        """Returns how long a task takes on an executor."""
        spread = self.random.lognormvariate(0, SPREAD)
        return TASK_START + size * self.seconds_for_gib * spread / self.speed[executor]

    def run(self, tasks):
        """Returns when the last task ends, the busy core seconds, those of them that were lost, and how many tasks were done again."""
        queue = sorted(((size, 1) for size in tasks), reverse=True)
        queue.reverse()
        cores = [(0.0, core // CORES_OF_EXECUTOR) for core in range(CORES)]
        heapq.heapify(cores)
        ends, busy, lost, again, started = [], 0.0, 0.0, 0, 0.0
        while queue:
            size, attempt = queue.pop()
            start, executor = heapq.heappop(cores)
            start = started = max(start, started + 1 / TASKS_A_SECOND)
            end = start + self.seconds(size, executor)
            dies = self.lost_at.get(executor)
            if dies is not None and start < dies < end:
                busy, lost, again = busy + dies - start, lost + dies - start, again + 1
                assert attempt < MOST_ATTEMPTS, "a task was lost too often"
                queue.append((size, attempt + 1))
                # Another executor takes its place after half a minute.
                heapq.heappush(cores, (dies + 30, executor))
                continue
            busy += end - start
            ends.append((end, start, size))
            heapq.heappush(cores, (end, executor))
        return self.last_end(ends), busy, lost, again

    def last_end(self, ends):
        """Returns when the last task ends; with speculation, one that takes 1.5 times the median is started anew once most are done."""
        if self.last_wave == "as it comes":
            return max(end for end, _, _ in ends)
        median = statistics.median(end - start for end, start, _ in ends)
        most = sorted(end for end, _, _ in ends)[int(len(ends) * 0.9)]
        def sooner(end, start, size):
            copied = max(most, start + 1.5 * median) + TASK_START + size * self.seconds_for_gib
            return min(end, copied)
        return max(sooner(*task) for task in ends)


def listing(files):
    """Returns the seconds that lists of so many files take, one request after the other: of inputs, and of outputs."""
    return 2 * -(-files // ROWS_A_LIST) * SECONDS_A_LIST


def shuffle(found, edges_for_gib):
    """Returns the GiB of edges that go from one machine to another, and the core seconds of adding them up."""
    edges = sum(found) * edges_for_gib
    return edges * EDGE_BYTES / (1 << 30), edges / EDGES_A_SECOND


def row(name, found, random_numbers, kind="graph", piece=PIECE_GIB, **cluster):
    """Prints a row of the table."""
    tasks = pieces(found, piece) if kind == "graph" and piece else found
    run = Cluster(random_numbers, SECONDS_FOR_GIB[kind], **cluster)
    end, busy, lost, again = run.run(tasks)
    ideal = busy / CORES
    print(f"| {name} | {len(tasks):,} | {end / 3600:.2f} | {busy / 3600:,.0f} | {end - ideal:,.0f} | {lost / 3600:.2f} | {again} |")


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Simulate a job over a crawl")
    parser.add_argument("--seed", type=int, default=1)
    random_numbers = random.Random(parser.parse_args().seed)
    crawl = sizes(random_numbers)
    print("| what | tasks | hours | core hours | seconds more than if all cores were always busy | core hours lost | tasks done again |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind in SECONDS_FOR_GIB:
        row(f"`{kind}`, nothing goes wrong", crawl, random_numbers, kind, piece=0)
    row("`graph`, each file in pieces of 0.25 GiB", crawl, random_numbers, piece=0.25)
    row("`graph`, one executor in ten three times slower", crawl, random_numbers, piece=0, slow_share=0.1)
    row("the same, with speculation", crawl, random_numbers, slow_share=0.1, piece=0, last_wave="speculation")
    row("`graph`, 10 of 25 executors lost in the first hour", crawl, random_numbers, piece=0, losses=10)
    for huge in (100, 1_000):
        skewed = sizes(random_numbers, huge)
        row(f"`graph`, one more file of {huge:,} GiB", skewed, random_numbers, piece=0)
        row("the same, pieces", skewed, random_numbers)
    small = sizes(random_numbers, files=FILES * 10, gib=GIB / 10)
    row("`graph`, the same bytes in 900,000 files", small, random_numbers, piece=0)
    print()
    print("| | |\n|---|---:|")
    for files in (FILES, FILES * 10):
        print(f"| lists of {files:,} files, s | {listing(files):,.0f} |")
    moved, added = shuffle(crawl, EDGES_FOR_GIB)
    print(f"| rows of edges between pages in the shuffle, billions | {sum(crawl) * EDGES_FOR_GIB / 1e9:.1f} |")
    print(f"| bytes of the shuffle before compression, TiB | {moved / 1024:,.1f} |")
    print(f"| core hours of adding them up | {added / 3600:,.0f} |")


if __name__ == "__main__":
    main()
