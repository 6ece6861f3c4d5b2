"""What each guard and each rung is worth: `python -m tests.benchmarks.weigh [--jobs N] [--seed N] [set …]`.

Every case is run as it is, and once more without the guard that refuses it or the rung that finds it. A guard
*saves* the wrong writes that it alone stops, and *costs* the right writes that it alone stops; what another
guard would refuse as well counts for neither. A rung *finds* the right writes that no other one makes.

Of code that is shown, no guard decides but a reason for which it is not merged (`Unmerged`): it *saves* where
a yes to what the code likely means would write something wrong, and *costs* that yes where it is right.

The sets are recorded cases (`real`, `made`, `keep`: none where `../shared/cases` is not there), drifted
edits of this project's sources (`drift`) and of code in ten `languages`, the `mistakes` of `tests/weighing`,
and the `rows` of `tests/data/weighing`; `shown` code in ten languages, and recorded `lazy` answers. The
same seed gives the same cases and the same table, however many processes there are; `--count` bounds how many
of each kind are made, and what takes longer than `--seconds` fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from patchpoint.outcome import Guard, Rung
from tests.weighing.cases import Judgement
from tests.weighing.recorded import CASES
from tests.weighing.sets import SETS, Wanted, cases_of
from tests.weighing.shown_code import SHOWN_SETS, ShownWeighing, shown_weighings
from tests.weighing.weights import Switch, Weighing, Weight, processors, weigh, weights_of

Table = list[list[str]]
"""Rows of cells, the first row being the header."""

_BEGIN = "<!-- weighed: begin -->"
_END = "<!-- weighed: end -->"


def main() -> int:
    """Print what becomes of each set, and what each switch saves and costs; return 1 if it takes too long."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("sets", nargs="*", help=" ".join((*SETS, *SHOWN_SETS)))
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--count", type=int, default=60, help="the most made cases of a kind")
    options.add_argument("--cases", type=Path, default=CASES, help="where recorded cases are")
    options.add_argument("--jobs", type=int, default=1, help="processes; 0 is one for each processor")
    options.add_argument("--seconds", type=float, default=1800, help="stop after so long, and fail")
    options.add_argument("--off", default="", metavar="GUARD,…", help="guards to leave out together, too")
    options.add_argument("--kinds", action="store_true", help="what becomes of each kind of a set")
    options.add_argument("--each", action="store_true", help="name every case that a switch decides alone")
    options.add_argument("--page", type=Path, help="write the tables into a Markdown page, between its marks")
    given = options.parse_args()
    together = frozenset(Guard[name.strip().upper()] for name in given.off.split(",") if name.strip())
    started = time.monotonic()
    wanted = Wanted(seed=given.seed, count=given.count, folder=given.cases)
    names = given.sets or (*SETS, *SHOWN_SETS)
    cases = (case for name in names if name in SETS for case in cases_of(name, wanted))
    weighings: list[Weighing] = []
    for weighing in weigh(cases, jobs=given.jobs or processors(), together=together):
        weighings.append(weighing)
        if time.monotonic() - started > given.seconds:
            print(f"stopped after {given.seconds:.0f} s and {len(weighings)} cases", file=sys.stderr)
            return 1
    tables = [_fates(weighings, kinds=given.kinds), *_worths(weighings)] if weighings else []
    shown = shown_weighings(
        [name for name in names if name in SHOWN_SETS], wanted, given.jobs or processors()
    )
    tables += _of_shown(shown, kinds=given.kinds) if shown else []
    for table in tables:
        print("\n".join(_aligned(table)), end="\n\n")
    if given.page:
        head, _, rest = given.page.read_text(encoding="utf-8").partition(_BEGIN)
        parts = [f"Seed {given.seed}, at most {given.count} made cases of a kind.", *map(_markdown, tables)]
        page = "\n\n".join([head + _BEGIN, *parts, _END + rest.partition(_END)[2]])
        given.page.write_text(page, encoding="utf-8")
    if together:
        _print_together(weighings)
    if given.each:
        _print_each(weighings)
    return 0


def _fates(weighings: Sequence[Weighing], *, kinds: bool) -> Table:
    """Return what becomes of each set, or of each kind in it."""
    fates: dict[str, Counter[Judgement]] = {}
    for each in weighings:
        name = f"{each.group}: {each.kind}" if kinds else each.group
        fates.setdefault(name, Counter())[each.now] += 1
    rows = [[name, str(fate.total()), *(str(fate[one]) for one in Judgement)] for name, fate in fates.items()]
    return [["set", "cases", *(one.value for one in Judgement)], *rows]


def _worths(weighings: Sequence[Weighing]) -> Iterator[Table]:
    """Yield the tables of the guards and of the rungs."""
    groups = list(dict.fromkeys(each.group for each in weighings))
    weights = weights_of(weighings)

    def table(name: str, switches: Iterable[Switch], one: str, other: str) -> Table:
        rows = []
        for switch in switches:
            weight = weights[switch]
            counts = [_counts(switch, weight, group) for group in groups]
            sums = [sum(count[at] for count in counts) for at in (0, 1)]
            rows.append(
                [
                    switch.name.lower(),
                    str(weight.decides),
                    *(f"{gain}/{loss}" if gain or loss else "" for gain, loss in counts),
                    str(sums[0]),
                    str(sums[1]),
                ]
            )
        return [[name, "decides", *groups, one, other], *rows]

    yield table("guard", Guard, "saves", "costs")
    yield table("rung", Rung, "finds", "wrong")


def _of_shown(weighings: Sequence[ShownWeighing], *, kinds: bool) -> Iterator[Table]:
    """Yield what becomes of shown code, and what each reason for which it is not merged saves and costs."""
    fates: dict[str, Counter[str]] = {}
    worths: dict[str, Counter[str]] = {}
    groups = list(dict.fromkeys(each.group for each in weighings))
    for each in weighings:
        fate = each.now.value if each.now is not Judgement.REFUSED else f"yes {each.with_yes.value}"
        fates.setdefault(f"{each.group}: {each.kind}" if kinds else each.group, Counter())[fate] += 1
        if each.now is Judgement.REFUSED:
            reason = "it is merged, and doubted" if each.reason is None else each.reason.value
            worths.setdefault(reason, Counter())[f"{each.group} {each.with_yes.value}"] += 1
    columns = ("right", "wrong", "yes right", "yes wrong", "yes refused")
    named = (*columns[:2], "right with a yes", "wrong with a yes", "refused")
    rows = [[name, str(fate.total()), *(str(fate[one]) for one in columns)] for name, fate in fates.items()]
    yield [["shown code", "cases", *named], *rows]
    rows = []
    for reason, worth in sorted(worths.items(), key=lambda item: -item[1].total()):
        counts = [(worth[f"{group} wrong"], worth[f"{group} right"]) for group in groups]
        cells = [f"{saves}/{costs}" if saves or costs else "" for saves, costs in counts]
        sums = [str(sum(count[at] for count in counts)) for at in (0, 1)]
        rows.append([reason, str(worth.total()), *cells, *sums])
    yield [["reason", "decides", *groups, "saves", "costs"], *rows]


def _counts(switch: Switch, weight: Weight, group: str) -> tuple[int, int]:
    """Return what speaks for a switch in a group, and what against it."""
    if isinstance(switch, Guard):
        return weight.saves[group] + weight.finds[group], weight.costs[group]
    return weight.finds[group], weight.mistakes[group]


def _aligned(table: Table) -> list[str]:
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]


def _markdown(table: Table) -> str:
    """Return the rows that say something, with what each guard has found."""
    titles = {guard.name.lower(): f"`{guard.name.lower()}`: {guard.title}" for guard in Guard}
    rule = ["---", *["--:"] * (len(table[0]) - 1)]
    rows = [[titles.get(row[0], row[0]), *row[1:]] for row in table[1:] if row[1] != "0"]
    return "\n".join(f"| {' | '.join(row)} |" for row in (table[0], rule, *rows))


def _print_together(weighings: Sequence[Weighing]) -> None:
    """Print what changes in each set when the guards that were named are left out together."""
    print("left out together")
    for group in dict.fromkeys(each.group for each in weighings):
        changes = Counter(
            f"{each.now.value} → {each.together.value}"
            for each in weighings
            if each.group == group and each.together is not None and each.together is not each.now
        )
        changed = ", ".join(f"{count} {change}" for change, count in sorted(changes.items()))
        print(f"  {group:10} {changed or 'as before'}")


def _print_each(weighings: Sequence[Weighing]) -> None:
    for each in weighings:
        for switch, then in each.without:
            if isinstance(switch, Guard) and then is not each.now:
                print(f"{switch.name.lower():24} {each.now.value} → {then.value}  {each.group} {each.name}")


if __name__ == "__main__":
    sys.exit(main())
