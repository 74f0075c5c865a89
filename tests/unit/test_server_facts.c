/* test_server_facts.c - names of distributions and processors, and disks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "fixture.h"
#include "source/machine/cpu_model.h"
#include "source/machine/disks.h"
#include "source/machine/os_release.h"
#include "tap.h"

static void tidies(const char *text, const char *want)
{
    char buf[64];

    strcpy(buf, text);
    OK(!strcmp(gput__text_tidy(buf), want), "tidied: '%s'", buf);
}

static void release_is(const char *text, const char *name, const char *id, const char *version)
{
    struct gput__os_release r;

    gput__os_release_parse(text, &r);
    OK(!strcmp(r.name, name) && !strcmp(r.id, id) && !strcmp(r.version, version), "'%s' '%s' '%s'",
       r.name, r.id, r.version);
}

static void releases(void)
{
    char text[400] = "PRETTY_NAME=", whole[200];

    release_is("NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
               "VERSION_ID=\"12\"\nID=debian\nVERSION_CODENAME=bookworm\n",
               "Debian GNU/Linux 12 (bookworm)", "debian", "12");
    release_is("NAME=Arch\nID=arch\nBUILD_ID=rolling\n", "Arch", "arch", "");
    release_is("PRETTY_NAME='It\\'s' \nID=\"a\\\"b\\\\c\"\n", "It\\s", "a\"b\\c", "");
    release_is("PRETTY_NAME=\"a\x1b[2J\"\n", "a?[2J", "", "");
    release_is("#ID=no\nXID=no\nID\nID=\"open", "", "open", "");
    release_is("ID=end\\", "", "end\\", "");
    release_is("", "", "", "");
    memset(whole, 'x', 150);
    whole[150] = '\0';
    strcat(text, whole);
    whole[95] = '\0';
    release_is(text, whole, "", "");
}

static void model_is(const char *text, const char *want)
{
    char model[40] = "before";

    gput__cpu_model_parse(text, model, sizeof(model));
    OK(!strcmp(model, want), "the CPU is '%s'", model);
}

static void models(void)
{
    model_is("processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7R13 \nstepping: 1\n",
             "AMD EPYC 7R13");
    model_is("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "ARM Neoverse-N1");
    model_is("CPU implementer\t: 0x99\nCPU part\t: 0x1\n", "ARM implementer 0x99, part 0x1");
    model_is("CPU implementer\t: 0x41\n", "");
    model_is("cpu\t\t: POWER9, altivec supported\n", "POWER9, altivec supported");
    model_is("cpu family\t: 6\n", "");
    model_is("model name\t: a name that is longer than there is room for it here\n",
             "a name that is longer than there is roo");
    model_is("model name\t: \n", "");
    model_is("model name", "");
    model_is("", "");
}

static void disks(void)
{
    struct gput__disk *list = NULL;
    struct fixture f;
    unsigned n = 77;

    fixture_begin(&f);
    OK(gput__disks_read(&f.root, &list, &n) == 0 && n == 0, "no /sys/block, no disks");
    free(list);
    fixture_write(&f, "block/nvme10n1/size", "2048\n");
    fixture_write(&f, "block/nvme10n1/queue/rotational", "0\n");
    fixture_write(&f, "block/nvme2n1/size", "4096\n");
    fixture_write(&f, "block/nvme2n1/device/model", "A disk   \n");
    fixture_write(&f, "block/vda/size", "x\n");
    fixture_write(&f, "block/vdb/size", "18446744073709551615\n");
    fixture_write(&f, "block/vdc/size", "0\n");
    fixture_write(&f, "block/vdd/other", "0\n");
    fixture_write(&f, "block/nvme0c0n1/size", "4096\n");
    fixture_write(&f, "block/nvme0c0n1/hidden", "1\n");
    fixture_write(&f, "block/loop0/size", "4096\n");
    fixture_write(&f, "block/dm-0/size", "4096\n");
    fixture_write(&f, "block/zram0/size", "4096\n");
    fixture_write(&f, "block/bcache0/size", "4096\n");
    fixture_write(&f, "block/sdz/size", "4096\n");
    fixture_write(&f, "block/sdz/slaves/nvme2n1/size", "4096\n");
    fixture_write(&f, "block/sr0/size", "4096\n");
    list = NULL;
    OK(gput__disks_read(&f.root, &list, &n) == 0 && n == 2, "%u disks", n);
    if (n == 2) {
        OK(!strcmp(list[0].name, "nvme2n1") && list[0].size == 2097152 &&
               list[0].is_rotational == -1 && !strcmp(list[0].model, "A disk"),
           "one that does not tell whether it rotates");
        OK(!strcmp(list[1].name, "nvme10n1") && list[1].is_rotational == 0 && !list[1].model[0],
           "the tenth comes behind the second");
    }
    free(list);
    fixture_end(&f);
}

int main(void)
{
    tidies("  a b\t\r\n", "a b");
    tidies("", "");
    tidies(" \n", "");
    tidies("a\x7f\x01"
           "b",
           "a??b");
    releases();
    models();
    disks();
    return DONE();
}
