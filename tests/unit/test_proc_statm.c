/* test_proc_statm.c - how much memory a process has, in pages. */
#include "source/proc/proc_statm.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

static void every_cut_of_a_line_is_refused(void)
{
    static const char full[] = "2531 880 512 220 0 410 0\n";
    struct gput__proc_statm st = { .resident = 77, .shared = 78 };
    char cut[sizeof(full)];
    int taken = 0;

    /* the third number is whole once a blank follows it */
    for (size_t n = 0; n < strlen("2531 880 512"); n++) {
        memcpy(cut, full, n);
        cut[n] = '\0';
        taken += gput__proc_statm_parse(cut, &st) == 0;
    }
    OK(taken == 0 && st.resident == 77 && st.shared == 78,
       "no prefix parses, and ret is left alone");
}

int main(void)
{
    struct gput__proc_statm st = { 0 };

    OK(gput__proc_statm_parse("2531 880 512 220 0 410 0\n", &st) == 0 && st.resident == 880 &&
           st.shared == 512,
       "resident pages, and those of files");
    OK(gput__proc_statm_parse("0 0 0 0 0 0 0\n", &st) == 0 && st.resident == 0,
       "a process that has let go of its memory");
    OK(gput__proc_statm_parse("2531 880 881 220 0 410 0\n", &st) == -EBADMSG,
       "more of files than at all is no such line");
    OK(gput__proc_statm_parse("", &st) == -EBADMSG &&
           gput__proc_statm_parse("a b c d\n", &st) == -EBADMSG,
       "nor is another text");
    every_cut_of_a_line_is_refused();
    return DONE();
}
