/* floor_start.c - the least that running a command can cost: fork, exec and wait, and nothing told.
 *
 * usage: floor_start COMMAND [ARGUMENT...]
 * Linked with the libraries that the tracker has, so that loading them is part of the floor. */
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status;
    pid_t pid;

    if (argc < 2)
        return 2;
    pid = fork();
    if (pid == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
