/* test_schedule.c - when to record and when to poll; the test is the clock. */
#include "sample/schedule.h"

#include "tap.h"

#define MS INT64_C(1000000)
#define S (1000 * MS)
#define START (1234 * S + 567)

static void deadlines_do_not_drift(void)
{
    struct gput__schedule s;
    int wrong = 0;

    gput__schedule_begin(&s, START, 100 * MS, true);
    for (int64_t i = 1; i <= 1000; i++) {
        int64_t due = START + i * 100 * MS;

        wrong += gput__schedule_next(&s) != due;
        wrong += gput__schedule_record_due(&s, due - 1) || !gput__schedule_record_due(&s, due);
        gput__schedule_recorded(&s, due + i * 37 % 90 * MS); /* each a little late */
    }
    OK(wrong == 0, "1000 records, each late by up to 90 ms, are due at 1000 x 100 ms");
}

static void missed_deadlines_are_skipped(void)
{
    struct gput__schedule s;
    int64_t late = START + 3700 * MS;

    gput__schedule_begin(&s, START, S, true);
    OK(gput__schedule_record_due(&s, late), "late");
    gput__schedule_recorded(&s, late);
    OK(!gput__schedule_record_due(&s, late) && gput__schedule_next(&s) == START + 4 * S,
       "one record, not three; the next one is at its own deadline");
    gput__schedule_recorded(&s, START + 5 * S);
    OK(gput__schedule_next(&s) == START + 6 * S, "exactly at a deadline: the next is one later");
    gput__schedule_recorded(&s, START + 6 * S - 1);
    OK(gput__schedule_next(&s) == START + 6 * S, "just before one: that one");
}

/* Goes from poll to poll for so long; returns the CPU time that they took. */
static int64_t simulate(struct gput__schedule *s, int64_t *now, int64_t length, int64_t cost,
                        int moved, int64_t *ret_polls)
{
    int64_t spent = 0, polls = 0, end = *now + length;

    while (gput__schedule_next(s) < end) {
        int64_t next = gput__schedule_next(s);

        if (next < *now)
            return -1; /* it never asks for the past */
        *now = next + cost;
        spent += cost;
        polls++;
        gput__schedule_polled(s, *now, cost, moved);
    }
    *now = end;
    if (ret_polls)
        *ret_polls = polls;
    return spent;
}

/* A job that never rests: polls take a fifth of a percent, and the credit that they begin with. */
static void allowance(int64_t cost)
{
    struct gput__schedule s;
    int64_t now = START, length = 120 * S, polls = 0, spent;
    int64_t most = length / 500 + 8 * MS + 2 * cost;

    gput__schedule_begin(&s, START, 100000 * S, false);
    spent = simulate(&s, &now, length, cost, 1, &polls);
    OK(spent > 0 && spent <= most, "polls of %lld us take %lld us of 120 s, at most %lld",
       (long long)(cost / 1000), (long long)(spent / 1000), (long long)(most / 1000));
    OK(spent > length / 500 / 2 || polls > 14000, "and make use of it: %lld polls",
       (long long)polls);
}

static void first_polls_come_quickly(void)
{
    struct gput__schedule s;
    int64_t now = START, polls = 0;

    gput__schedule_begin(&s, START, 100 * S, false);
    OK(gput__schedule_next(&s) <= START + 5 * MS, "the first poll is at once");
    simulate(&s, &now, 50 * MS, MS / 20, 1, &polls);
    OK(polls >= 15, "a job of 50 ms is polled %lld times", (long long)polls);
}

static void quiet(void)
{
    struct gput__schedule s;
    int64_t now = START, polls = 0;

    gput__schedule_begin(&s, START, 100 * S, false);
    simulate(&s, &now, 1800 * MS, MS / 20, 0, &polls);
    OK(polls > 20 && polls < 60, "%lld polls while nothing moves, ever more seldom",
       (long long)polls);
    OK(gput__schedule_next(&s) <= now + 100 * MS, "but not more than 100 ms apart");
    simulate(&s, &now, 4 * S, MS / 20, 0, &polls);
    OK(s.is_quiet && gput__schedule_next(&s) <= now + 100 * MS,
       "once nothing has moved for long ten times a second");
    polls = 0;
    simulate(&s, &now, 10 * S, MS / 20, 0, &polls);
    OK(polls >= 99 && polls <= 101, "and no more: %lld in 10 s", (long long)polls);
    gput__schedule_polled(&s, now, MS / 20, 1);
    OK(!s.is_quiet && gput__schedule_next(&s) <= now + 10 * MS,
       "one that sees something begins anew");
    gput__schedule_be_frugal(&s);
    simulate(&s, &now, 10 * S, MS / 20, 0, NULL);
    OK(gput__schedule_next(&s) == START + 100 * S, "where only records are shown these remain");
}

static void stirred(void)
{
    struct gput__schedule s;
    int64_t now = START, before;

    gput__schedule_begin(&s, START, 100 * S, false);
    simulate(&s, &now, 10 * S, MS / 20, 0, NULL);
    OK(s.is_quiet, "quiet");
    gput__schedule_saw_activity(&s, now);
    OK(gput__schedule_next(&s) > now && gput__schedule_next(&s) <= now + 10 * MS,
       "stirred: a poll comes soon");
    before = gput__schedule_next(&s);
    for (int64_t i = 1; i <= 100; i++)
        gput__schedule_saw_activity(&s, now + i);
    OK(gput__schedule_next(&s) == before, "many stirs do not put it off");
    simulate(&s, &now, 1800 * MS, MS / 20, 0, NULL);
    OK(gput__schedule_next(&s) < now + 500 * MS, "and keep it awake for a while");
}

static void asleep(void)
{
    struct gput__schedule s;
    int64_t now = START, polls = 0;

    gput__schedule_begin(&s, START, 100 * S, false);
    simulate(&s, &now, 10 * S, MS / 20, 0, NULL);
    gput__schedule_set_asleep(&s, now, true);
    simulate(&s, &now, 20 * S, MS / 20, 0, &polls);
    OK(polls >= 9 && polls <= 11, "a job that sleeps and will wake us: %lld polls in 20 s",
       (long long)polls);
    gput__schedule_recorded(&s, now);
    OK(gput__schedule_next(&s) > now + 1900 * MS, "a record stands for one of them");
    gput__schedule_set_asleep(&s, now, false);
    OK(gput__schedule_next(&s) <= now + 100 * MS, "none that will: ten times a second");
    gput__schedule_set_asleep(&s, now, true);
    gput__schedule_saw_activity(&s, now);
    OK(gput__schedule_next(&s) <= now + 10 * MS, "woken: a poll comes soon");
    simulate(&s, &now, 120 * MS, MS / 20, 0, NULL);
    OK(!s.is_quiet, "a nap of a tenth of a second is not quiet yet");
    gput__schedule_set_asleep(&s, now, true);
    OK(s.is_quiet && gput__schedule_next(&s) > now + 1900 * MS,
       "but it is if the job will wake us");
    gput__schedule_saw_activity(&s, now);
    OK(!s.is_asleep && gput__schedule_next(&s) <= now + 10 * MS, "and then a poll comes soon too");
}

/* Long rest earns no more than the burst at the start. */
static void credit_is_bounded(void)
{
    struct gput__schedule s;
    int64_t now = START, spent;

    gput__schedule_begin(&s, START, 100000 * S, false);
    simulate(&s, &now, 10 * S, MS / 20, 0, NULL);
    now += 3600 * S;
    gput__schedule_saw_activity(&s, now);
    spent = simulate(&s, &now, S, MS / 20, 1, NULL);
    OK(spent > 0 && spent <= S / 400 + 20 * MS + MS / 10, "after an hour of rest: %lld us in 1 s",
       (long long)(spent / 1000));
}

static void no_watch(void)
{
    struct gput__schedule s;

    gput__schedule_begin(&s, START, S, true);
    OK(gput__schedule_next(&s) == START + S, "without watching only records");
    gput__schedule_saw_activity(&s, START + 1);
    gput__schedule_polled(&s, START + 2, MS, 1);
    OK(gput__schedule_next(&s) == START + S, "whatever happens");
}

static void aligned(void)
{
    struct gput__schedule s;

    gput__schedule_begin(&s, START, S, true);
    gput__schedule_align(&s, START, START - 1000000 * S - 300 * MS);
    OK(gput__schedule_next(&s) == START + 700 * MS, "on a grid that began long ago");
    gput__schedule_recorded(&s, START + 700 * MS);
    OK(gput__schedule_next(&s) == START + 1700 * MS, "and so on");
    gput__schedule_align(&s, START, START - 800 * MS);
    OK(gput__schedule_next(&s) == START + 1200 * MS,
       "the first one is at least half an interval away");
    gput__schedule_align(&s, START, START + 5 * S);
    OK(gput__schedule_next(&s) == START + 5 * S, "a grid that begins later");
    gput__schedule_recorded(&s, START + 5 * S + 1);
    OK(gput__schedule_next(&s) == START + 6 * S, "goes on from there");
}

/* How many polls of 50 us there are in a minute in which something moves all the time. */
static int polls_in_a_minute(bool frugal)
{
    struct gput__schedule s;
    int n = 0;

    gput__schedule_begin(&s, START, 1000 * S, false);
    if (frugal)
        gput__schedule_be_frugal(&s);
    for (int64_t now = gput__schedule_next(&s); now < START + 60 * S; n++) {
        gput__schedule_polled(&s, now, 50000, true);
        now = gput__schedule_next(&s);
    }
    return n;
}

static void frugal(void)
{
    int usual = polls_in_a_minute(false), few = polls_in_a_minute(true);

    OK(few > 0 && few < usual / 2, "where only records are shown: %d polls, not %d", few, usual);
}

/* Many processes: one time costs more than is usually saved up. */
static void expensive_things_get_their_turn(void)
{
    struct gput__allowance b;
    int64_t now = START;

    gput__allowance_begin(&b, now, GPUT__WATCH_SHARE, 2 * MS, MS / 5);
    for (int i = 0; i < 8; i++)
        gput__allowance_spend(&b, now, 100 * MS);
    gput__allowance_earn(&b, now + S);
    OK(gput__allowance_wait(&b) > 0, "an expensive thing is not repeated soon");
    gput__allowance_earn(&b, now + 2 * 9 * 100 * MS * GPUT__WATCH_SHARE);
    OK(gput__allowance_wait(&b) <= 0, "but it is, once it was saved up for");
    b.credit_ns = b.cost_ns;
    gput__allowance_earn(&b, b.credited_ns + S);
    OK(gput__allowance_wait(&b) <= 0, "and what it was given it keeps");
}

int main(void)
{
    expensive_things_get_their_turn();
    deadlines_do_not_drift();
    missed_deadlines_are_skipped();
    allowance(MS / 100);
    allowance(MS / 20);
    allowance(MS / 5);
    allowance(MS);
    first_polls_come_quickly();
    quiet();
    stirred();
    asleep();
    credit_is_bounded();
    no_watch();
    aligned();
    frugal();
    return DONE();
}
