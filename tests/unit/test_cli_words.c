/* test_cli_words.c - the string of -e as words, or for the shell. */
#include "options/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

/* The words with '|' between; NULL where the text was refused. */
static char *joined(const char *text, const char *path)
{
    static char line[2000];
    struct refusal why = { "" };
    char **argv = NULL;

    if (words_of_command(text, path, &argv, &why) < 0)
        return argv || !why.text[0] ? strcpy(line, "(no reason)") : NULL;
    line[0] = '\0';
    for (int i = 0; argv[i]; i++) {
        strcat(line, i ? "|" : "");
        strcat(line, argv[i]);
    }
    free(argv);
    return line;
}

/* As TAP can take it: no newline, no '#'. */
static const char *shown(const char *text)
{
    static char copies[2][500];
    static int turn;
    char *copy = copies[turn = !turn];

    snprintf(copy, sizeof(copies[0]), "%s", text);
    for (char *p = copy; *p; p++)
        *p = *p == '\n' ? '_' : *p == '#' ? '%' : *p;
    return copy;
}

static void splits(const char *text, const char *want)
{
    const char *got = joined(text, "/usr/bin:/bin");

    OK(got && strcmp(got, want) == 0, "<%s> is <%s>", shown(text), shown(want));
}

static void goes_to_the_shell(const char *text)
{
    char want[500];

    snprintf(want, sizeof(want), "/bin/sh|-c|%s", text);
    splits(text, want);
}

static void is_refused(const char *text)
{
    OK(!joined(text, "/usr/bin:/bin"), "<%s> is refused", shown(text));
}

static void words_and_blanks(void)
{
    splits("ls", "ls");
    splits("ls -l -a", "ls|-l|-a");
    splits("  ls\t -l  ", "ls|-l");
    splits("bash example-script.sh", "bash|example-script.sh");
    splits("a=b-c/d:e,f@g%h+i.j^k{l}m]n!o", "/bin/sh|-c|a=b-c/d:e,f@g%h+i.j^k{l}m]n!o");
    splits("prog x=1 b-c/d:e,f@g%h+i.j^k{l}m]n!o", "prog|x=1|b-c/d:e,f@g%h+i.j^k{l}m]n!o");
    splits("-x -y", "-x|-y");
    splits("prog\r", "prog\r");
    splits("caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9|\xe2\x82\xac");
}

static void quotes_and_backslashes(void)
{
    splits("echo 'a b'", "echo|a b");
    splits("echo \"a b\"", "echo|a b");
    splits("echo a' 'b\" \"c", "echo|a b c");
    splits("echo '' \"\" x", "echo|||x");
    splits("echo 'it is \"so\"'", "echo|it is \"so\"");
    splits("echo \"it's\"", "echo|it's");
    splits("echo 'a\\b'", "echo|a\\b");
    splits("echo a\\ b", "echo|a b");
    splits("echo \\\\ \\' \\\"", "echo|\\|'|\"");
    splits("echo \"a\\\"b\\\\c\\$d\\`e\\n\"", "echo|a\"b\\c$d`e\\n");
    splits("echo \\$HOME \\* \\; \\#", "echo|$HOME|*|;|#");
    splits("echo '|&;<>()$`*?[~#'", "echo||&;<>()$`*?[~#");
    splits("echo \"|&;<>()*?[~#\"", "echo||&;<>()*?[~#");
    splits("echo 'two\nlines'", "echo|two\nlines");
    splits("echo a\\\nb", "echo|ab");
    splits("echo \\\n b", "echo|b");
    splits("echo \"a\\\nb\"", "echo|ab");
    splits("echo \\", "echo|\\");
    splits("'my prog' x", "my prog|x");
    splits("python3 -c 'print(\"x\")'", "python3|-c|print(\"x\")");
}

static void what_only_a_shell_can_do(void)
{
    static const char meta[] = "|&;<>()$`*?[~#\n";
    char text[] = "ls x_y";

    for (const char *c = meta; *c; c++) {
        text[4] = *c;
        goes_to_the_shell(text);
    }
    goes_to_the_shell("a | b");
    goes_to_the_shell("echo $HOME");
    goes_to_the_shell("echo \"$HOME\"");
    goes_to_the_shell("echo \"`date`\"");
    goes_to_the_shell("echo 'a b' > out.txt");
    goes_to_the_shell("# it's a comment");
    goes_to_the_shell("cat <<E\nit's\nE");
    goes_to_the_shell("X=1 prog");
    goes_to_the_shell("  _x9= prog");
    goes_to_the_shell("X='a b' prog");
    splits("9X=1 prog", "9X=1|prog");
    splits("'X'=1 prog", "X=1|prog");
    splits("=1", "=1");
    splits("x-y=1", "x-y=1");
    splits("-x | y", "/bin/sh|-c|--|-x | y");
    splits(" +x | y", "/bin/sh|-c|--| +x | y");
}

static void keywords(void)
{
    goes_to_the_shell("if true");
    goes_to_the_shell("for i in 1 2");
    goes_to_the_shell("while true");
    goes_to_the_shell("{ ls");
    goes_to_the_shell("! ls");
    splits("'if' x", "if|x");
    splits("i\\f x", "if|x");
    splits("ls if", "ls|if");
    splits("iff x", "iff|x");
}

static void builtins(void)
{
    char folder[] = "/tmp/cli_words.XXXXXX", file[64];
    FILE *program;

    goes_to_the_shell("exit 3");
    goes_to_the_shell("cd /tmp");
    goes_to_the_shell("exec sleep 1");
    goes_to_the_shell("'exit' 3");
    splits("exits 3", "exits|3");
    OK(strcmp(joined("echo a", "/nowhere"), "/bin/sh|-c|echo a") == 0,
       "a builtin that is not on PATH needs the shell");
    OK(strcmp(joined("true", "/nowhere:/usr/bin"), "true") == 0, "one on PATH is the program");
    OK(strcmp(joined("true", NULL), "true") == 0, "no PATH: the system's");
    if (!OK(mkdtemp(folder) != NULL, "a folder"))
        return;
    snprintf(file, sizeof(file), "%s/umask", folder);
    program = fopen(file, "w");
    if (program)
        fclose(program);
    OK(strcmp(joined("umask", folder), "/bin/sh|-c|umask") == 0, "a plain file is no program");
    chmod(file, 0755);
    OK(strcmp(joined("umask", folder), "umask") == 0, "an executable one is");
    OK(chdir(folder) == 0 && strcmp(joined("umask", "/nowhere:"), "umask") == 0,
       "an empty part of PATH is the working folder");
    unlink(file);
    rmdir(folder);
}

static void nothing_to_run(void)
{
    is_refused("");
    is_refused("   ");
    is_refused(" \t\n");
    is_refused("''");
    is_refused("\"\" x");
    is_refused("\\\n");
    is_refused("echo 'a");
    is_refused("echo \"a");
    is_refused("echo \"a\\\"");
    is_refused("'");
    is_refused("echo 'a | b");
}

int main(void)
{
    words_and_blanks();
    quotes_and_backslashes();
    what_only_a_shell_can_do();
    keywords();
    builtins();
    nothing_to_run();
    return DONE();
}
