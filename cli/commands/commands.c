/* commands.c - THE table of commands: gpu-tracker itself and its subcommands. */
#include "commands/commands.h"

#include "commands/merge.h"
#include "options/options.h"
#include "sub_track/sub_track.h"

static const struct command catalogue_commands[] = {
    { .name = "catalogue show",
      .run = catalogue_show,
      .usage = "[options]",
      .help = "Show types of servers to rent and what they cost, cheapest first.",
      .options = catalogue_show_options },
    { .name = "catalogue update",
      .run = catalogue_update,
      .usage = "--from=<file-or-url>",
      .help = "Check a catalogue and store it: it is used from then on.",
      .options = catalogue_update_options },
    { .name = NULL },
};

/* In the order of --help: measuring, looking at what was measured, advice, the machine. */
static const struct command subcommands[] = {
    { .name = "sub-track",
      .help = "Tell which part of the code costs what: marks and their analysis.",
      .about = "Tells which part of the code costs what: marks of code blocks, and their analysis "
               "with the tracking file of the same run.",
      .subcommands = sub_commands },
    { .name = "serve",
      .run = command_serve,
      .usage = "[options] [PID | FILE [RESULT]]",
      .help = "Show a running job, or the report of a run, in browsers.",
      .about =
          "Shows the report of a running job in browsers while it grows; the job that was started last, "
          "or that of PID, which is as in top. It ends with the job, once those who look at it have the "
          "finished report.\n\n"
          "Of a FILE, which is as in report, it shows the report until it is ended.\n\n"
          "The link that is printed opens once; the address that the browser then shows is for others.",
      .options = serve_options },
    { .name = "top",
      .run = command_top,
      .usage = "[options] [PID | DIR]",
      .help = "Watch a running job: limits, verdict so far, its processes.",
      .about =
          "Watches a job of this user that is tracked on this machine, the youngest by default: how far "
          "it is from each limit and when memory reaches its own, what limits it so far, and its "
          "processes.\n\n"
          "PID is the tracker's or the main process's; of a process that nobody tracks a tracker is "
          "started, which ends with top. DIR is the folder of --fleet: the ranks of a job on many "
          "nodes are shown, what is missing or failed first. The job is left alone whatever becomes "
          "of top.",
      .options = top_options },
    { .name = "process",
      .run = command_stream,
      .usage = "[--pid=<pid>] [options]",
      .help = "Tell what a process and its descendants do: a row each second.",
      .about =
          "Tells what a process and its descendants do: a row of CPU, memory (PSS), disk and "
          "GPUs for each interval, at its multiples by the wall clock, until the process ends.",
      .options = process_options },
    { .name = "system",
      .run = command_stream,
      .usage = "[options]",
      .help = "Tell what the whole machine does: a row each second.",
      .about = "Tells what the whole machine does: a row of CPU, memory, disks, network and GPUs "
               "for each interval, at its multiples by the wall clock, until it is interrupted.",
      .options = system_options },
    { .name = "report",
      .run = command_report,
      .usage = "[options] FILE [RESULT]",
      .help = "Show a finished run: an HTML page with charts and advice, or text.",
      .about = "Writes the report of a finished run as one HTML page that needs nothing else, and "
               "prints its name.\n\n"
               "FILE is what is left of the run: its tracking file (--tf), or its result as JSON "
               "(-f json, best with --full). The tracking file tells how the figures moved, the "
               "result how the run ended; given both, in either order, the page has both.\n"
               "With --text it prints charts for a terminal instead.",
      .options = report_options },
    { .name = "compare",
      .run = command_compare,
      .usage = "[options] RUN RUN...",
      .help = "Tell what changed from one run, or group of runs, to another.",
      .about =
          "Tells what changed from the first run to each of the others, by how much, and whether "
          "that is more than noise.\n\n"
          "RUN is what is left of a run, best its result as JSON (-f json --full), or a group of "
          "runs: base=a1.json,a2.json,a3.json new=b1.json,b2.json,b3.json; a folder stands for the "
          "results (.json) in it. With three runs or more in each group medians are compared, and "
          "the spread of the runs tells what is noise. Wall time is shown and not judged.",
      .options = compare_options },
    { .name = "repeat",
      .run = command_repeat,
      .usage = "[options] [--] command [arguments...]",
      .help = "Run a command several times: medians, spread, outliers.",
      .about =
          "Runs a command several times, each under a tracker of its own, and tells medians, spread "
          "and outliers of its figures. Other commands (--compare) take turns with it and are "
          "compared with it.\n\n"
          "It ends at the first run whose exit status is not 0, with that status. Options for the "
          "runs may stand in GPUT_OPTS.",
      .options = repeat_options,
      .words_end_options = true },
    { .name = "check",
      .run = command_check,
      .usage = "--baseline=<file> [options] [--] command [arguments...]",
      .help = "Run a command and fail where it is worse than its baseline.",
      .about =
          "Runs a command and compares it with what earlier runs of it used. Where a figure is worse "
          "by more than noise it is measured once more; worse both times is exit status 122. A "
          "command that fails keeps its own status.",
      .options = check_options,
      .words_end_options = true },
    { .name = "history",
      .run = command_history,
      .usage = "[list | show RUN | trend | prune] [options]",
      .help = "Show the runs that were kept: a list, how figures moved.",
      .about =
          "Shows the runs that --history, or GPUT_HISTORY, has kept. 'list' (without a word too) "
          "has a line for each, the newest first; 'show' all of one, by its number or the "
          "beginning of its id; 'trend' how the figures of each job moved from run to run; "
          "'prune' removes old ones.",
      .options = history_options,
      .words = history_words },
    { .name = "merge",
      .run = command_merge,
      .usage = "[options] DIR|FILE...",
      .help = "Tell what a job on many nodes used, from its node files.",
      .about = "Tells what a job on many nodes used, from the files that the trackers of its nodes "
               "left (--fleet): one answer for the whole job, and where ranks differ.\n\n"
               "Of a folder all *.json below it are read. Several jobs, steps and restarts are "
               "told apart. The status is 0 if the job is complete, and 1 if a rank, a node or a "
               "file is missing or failed.",
      .options = merge_options },
    { .name = "recommend",
      .run = command_recommend,
      .usage =
          "FILE... [options]\n  gpu-tracker recommend --history[=FILE] --job-name=NAME [options]",
      .help = "Tell what to ask a scheduler for, or which server to rent.",
      .about = "Tells what to ask for next time, from what is left of finished runs: tracking "
               "files, results (-f json), snapshots of resource_tracker, streams.",
      .options = recommend_options },
    { .name = "export",
      .run = command_export,
      .usage = "--to=<format> [options] FILE...",
      .help = "Write the figures of finished runs for Prometheus, OpenTelemetry or a table.",
      .about = "Writes the figures of finished runs for other programs: Prometheus (prometheus, "
               "openmetrics), OpenTelemetry (otlp, as JSON), or rows (csv, jsonl).\n\n"
               "FILE is what is left of a run: its result as JSON (-f json, best with --full), its "
               "tracking file, a snapshot of resource_tracker or a stream. Of several runs each "
               "figure has the label run_id.",
      .options = export_options },
    { .name = "catalogue",
      .help = "Show servers to rent and what they cost, or store another list.",
      .about = "Shows types of servers to rent and what they cost, cheapest first; or stores "
               "another catalogue, which is then used in the place of the built-in one.",
      .subcommands = catalogue_commands },
    { .name = "discover",
      .run = command_discover,
      .usage = "[options]",
      .help = "Tell what this server is and which cloud it is in.",
      .about = "Tells what this server is (system, CPU, memory, GPUs, disks, limits) and which "
               "cloud it is in: vendor, instance type, region. The firmware's names tell which "
               "cloud's metadata service is asked; where they name none nobody is asked.",
      .options = discover_options },
    { .name = "doctor",
      .run = command_doctor,
      .usage = "[options]",
      .help = "Tell what can be measured here, and what would change that.",
      .about = "Tells what can be measured on this machine, what cannot, and what would change it.",
      .options = doctor_options },
    { .name = "help",
      .run = command_help,
      .usage = "[<topic>]",
      .help = "Show the manual, a section of it, or what a subcommand does.",
      .about = "Shows the manual as plain text. A topic is a subcommand or the beginning of a "
               "section's title: gpu-tracker help exit status.",
      .options = help_options },
    { .name = "completions", .run = command_completions, .usage = "bash|zsh|fish" },
    { .name = "gput-helper", .run = command_helper, .usage = "FD" },
    { .name = NULL },
};

const struct command gpu_tracker = {
    .name = "",
    .usage = "[options] [--] command [arguments...]\n"
             "  gpu-tracker [options] --execute=<command>\n"
             "  gpu-tracker [options] --pid=<pid>\n"
             "  gpu-tracker <subcommand> [options]\n"
             "  gpu-tracker -h | --help\n"
             "  gpu-tracker -v | --version",
    .help = "Tells what a command and its descendants use: RAM, GPU RAM, CPU, GPU and time.",
    .about = "\n"
             "Options end at the first word that is not one; after -- comes the command,\n"
             "whatever its name, even that of a subcommand.\n"
             "Options for every run may stand in GPUT_OPTS and in gpu-tracker/config below\n"
             "XDG_CONFIG_HOME (~/.config). The command line wins, then GPUT_OPTS.\n"
             "The exit status is the command's (128+N: signal N ended it), or 124 timeout,\n"
             "125 the tracker failed, 126 not executable, 127 not found, 2 wrong usage.\n"
             "\n"
             "Examples:\n"
             "  gpu-tracker -e \"bash job.sh\" --ru=megabytes --tu=seconds\n"
             "  gpu-tracker -f json -o result.json -- python3 train.py --epochs 3\n"
             "  gpu-tracker --full --pid=4711\n"
             "  gpu-tracker doctor\n"
             "  gpu-tracker sub-track analyze --tf=run.csv --stf=blocks.csv\n"
             "  srun gpu-tracker -o result-%r.txt -- ./solver\n",
    .options = run_options,
    .subcommands = subcommands,
    .words_end_options = true,
};
