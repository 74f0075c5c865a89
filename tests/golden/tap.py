"""tap.py - facts as lines of TAP, for the scripts of this folder."""

count = failed = 0


def ok(condition, text, *details):
    """One fact.  Details are printed only where it does not hold."""
    global count, failed
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, text.replace("\n", " ").replace("#", "")))
    for detail in details if not condition else ():
        for line in str(detail).splitlines():
            print("#   " + line)


def finish():
    """The plan; returns the exit status."""
    print("1..%d" % count)
    return 1 if failed else 0
