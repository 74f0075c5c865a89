"""The words of the page that no measurement makes: what sections are about, and why others win where they do."""

INTRODUCTION = """\
What tracking costs and how right it is, beside other programs and beside one that only makes the
system calls without which it cannot be known (the *floor*). Made by `bench/run` from `bench/results.json`; `make bench` measures it all again: it
installs the other programs from PyPI, crates.io and Debian into `build/bench/` and takes about
half an hour; `bench/run --quick` takes less, with fewer repetitions and sizes.

Figures are medians, the middle half of them in brackets. What is compared ran in turns or at the
same time; a ratio is the median of such pairs, so it need not be the quotient of the two medians.
A ratio below 1: gpu-tracker takes less. A limit of a time that is not compared with another is for
the least of its figures: what else runs on the machine only adds to them. A section with a limit
that is not held is measured a second time at the end; if it is not held then either, `make bench`
fails."""

ABOUT = {
    "1": "The floor is a program that only forks, executes and waits (`bench/floor_start.c`), linked with the "
         "libraries that gpu-tracker has. Rows \"start to end\": all programs in turns, so each finds what the "
         "one before left in the caches.",
    "3": "The floor (`bench/floor.c`) reads what a record needs, on descriptors that are kept open, and makes "
         "nothing of it.",
    "6": "A program of 4 GB that maps and unmaps counts its rounds. Rows \"left of the speed\": each program with "
         "the shortest interval that it takes, down to 0.1 s; the ratio is what is left of the untracked speed.",
    "10": "The floor (`bench/floor.c`) reads the files of the machine and the clocks of the processes that a row "
          "needs, once a second, and makes nothing of it. Where the floor alone comes near a tenth of another program's "
          "time, the limit is 1.5 times the floor.",
    "12": "All programs at the same time on the same processes, each with a sample a second. PyPI resource-tracker "
          "uses psutil here; section 10 has its other way.",
    "13": "Each job knows what it used. The cells are errors in percent of that, the worst of all runs; "
          "those over 5 % are bold, – stands for what a program does not tell. Where two figures are the truth of a "
          "peak, the job held the first for at least 50 ms and the second at one moment: what lies between has no "
          "error, what lies outside is compared with the nearer of the two. Each program has the settings of its "
          "command above; what it says of memory is the largest of its samples.",
    "14": "Instructions of the tracker itself, without the kernel's and the job's. A record: the difference of two "
          "runs of different length, of the thread that makes it, without looking for newcomers, which depends on "
          "what others start. So these figures do not depend on the load of the machine.",
}

REASONS = [  # beginning of what is compared, of the program; the reason
    ("`true`, start to end", "GNU time", "GNU time waits and reads one `rusage`; the tracker also asks for the "
     "machine's memory, looks for GPUs and writes a result of all figures."),
    ("tracking `true`", "GNU time", "GNU time waits and reads one `rusage`, nothing else."),
    ("`true`, start to end", "pidstat", "`pidstat -e` ends with the job and has then told nothing of one that is "
     "shorter than its interval."),
    ("peak RSS", "GNU time", "It keeps nothing."),
    ("peak RSS", "pidstat", "It keeps the last two samples of each process, the tracker maxima, shared memory "
     "and what a report needs."),
    ("memory of all", "pidstat", "It keeps the last two samples of each process, nothing else."),
    ("one sample", "pidstat", "It reads two files of each process that it is told; the tracker finds the "
     "processes itself, hears of each birth on the machine, reads the machine too, and looks at the job "
     "between records."),
    ("whole tracker", "pidstat", "It is told the processes and does not look for new ones; with births elsewhere on the "
     "machine the tracker has more to do."),
    ("CPU per sample, ", "PyPI resource-tracker", "It reads once a second; the tracker also watches a job that moves "
     "between rows, for a fixed share of a core, so that a peak of a moment counts."),
    ("10^", "PyPI resource-tracker", "The first paint of our page has still pictures of all charts; theirs draws "
     "its charts later (\"all charts drawn\")."),
]
COUNTED_TWICE = "It adds up the RSS of all processes: shared pages count more than once, which can make up for " \
    "what its samples miss. The tracker counts them once, and can miss a peak between two polls."
TRUTH = [  # beginning of the job, figure, program; the reason
    ("a random tree", "peak", "psrecord", COUNTED_TWICE),
    ("a random tree", "peak", "mprof", COUNTED_TWICE),
    ("", "peak", "", "Sums over several processes are sampled: a peak between two polls can be missed."),
    ("", "cpu", "", "The time of processes that nobody waits for ends with the last look at them."),
    ("", "time", "", "Taken from the start of the command to its end; the job's own clock begins a moment later."),
]
UNEXPLAINED = "not explained yet"


def of(row):
    for what, program, reason in REASONS:
        if row["what"].startswith(what) and row["against"].startswith(program):
            return reason
    return UNEXPLAINED


def of_truth(case, figure, program):
    for job, what, who, reason in TRUTH:
        if case.startswith(job) and figure == what and program.startswith(who):
            return reason
    return UNEXPLAINED
