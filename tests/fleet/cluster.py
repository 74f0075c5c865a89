"""cluster.py - a Slurm cluster of several nodes on this machine: daemons of its own in a folder of its own,
on free ports of loopback, each node under a host name of its own.  It needs root and Debian's slurm-wlm.

Nothing of a Slurm that the machine may have is touched: configuration, key, sockets and state are here.
"""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ["slurmctld", "slurmd", "srun", "sbatch", "scancel", "scontrol", "squeue", "sinfo", "munged", "unshare"]
CORES = 8  # of each node, as Slurm is told


def missing():
    """Why there can be no cluster, or None."""
    if os.geteuid() != 0:
        return "a Slurm cluster takes root"
    lacking = [p for p in PROGRAMS if not shutil.which(p, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    return f"no {', '.join(lacking)} (Debian: slurm-wlm munge; tools/setup check)" if lacking else None


def free_ports(n):
    """A run of free ports: slurm.conf names them as a range."""
    for first in range(21000, 60000, n + 7):
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for port in range(first, first + n):
                s = held.enter_context(socket.socket())
                s.bind(("127.0.0.1", port))
            return first
    raise OSError("no free ports")


class Cluster:
    def __init__(self, n_nodes):
        self.n = n_nodes
        self.folder = tempfile.mkdtemp(prefix="gput-slurm-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.daemons = {}  # name -> Popen
        self.env = {**os.environ, "SLURM_CONF": f"{self.folder}/etc/slurm.conf",
                    "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        for name in list(self.env):
            if name.startswith("SLURM_") and name != "SLURM_CONF":
                del self.env[name]

    def node(self, i):
        return f"node{i:03d}"

    def configure(self):
        at, host, first = self.folder, socket.gethostname(), free_ports(self.n + 1)
        for name in "run", "log", "state", "etc", "dev", "spool", "tmp":
            os.mkdir(f"{at}/{name}")
        for i in range(1, self.n + 1):
            os.mkdir(f"{at}/spool/{self.node(i)}")
            os.mkdir(f"{at}/tmp/{self.node(i)}")
        with open(f"{at}/etc/slurm.conf", "w") as f:
            f.write(f"""ClusterName=lab
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={first}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={at}/run/munge.sock
StateSaveLocation={at}/state
SlurmctldPidFile={at}/run/slurmctld.pid
SlurmctldLogFile={at}/log/slurmctld.log
SlurmdSpoolDir={at}/spool/%n
SlurmdPidFile={at}/run/slurmd.%n.pid
SlurmdLogFile={at}/log/slurmd.%n.log
TmpFS={at}/tmp/%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
TreeWidth=65533
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdTimeout=10
KillWait=2
MinJobAge=300
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
JobRequeue=1
GresTypes=gpu
NodeName=node[001-{self.n:03d}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first + 1}-{first + self.n}] CPUs={CORES} RealMemory=2000 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES
""")
        with open(f"{at}/etc/gres.conf", "w") as f:
            f.write(f"Name=gpu File={at}/dev/fakegpu[0-1]\n")
        for i in 0, 1:
            os.mknod(f"{at}/dev/fakegpu{i}", 0o600 | 0o020000, os.makedev(1, 3))

    def daemon(self, name, *command):
        with open(f"{self.folder}/log/{name}.out", "wb") as out:
            self.daemons[name] = subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                                  start_new_session=True)

    def slurmd(self, i):
        name = self.node(i)
        self.daemon(name, "unshare", "-u", "sh", "-c", f"hostname {name}; exec slurmd -D -c -N {name}")

    def start(self):
        """True when all nodes are idle."""
        at = self.folder
        self.configure()
        with open(f"{at}/etc/munge.key", "wb") as f:
            f.write(os.urandom(1024))
        os.chmod(f"{at}/etc/munge.key", 0o400)
        self.daemon("munged", "munged", "-F", "--force", f"--key-file={at}/etc/munge.key", f"--socket={at}/run/munge.sock",
                    f"--pid-file={at}/run/munged.pid", f"--log-file={at}/log/munged.log", f"--seed-file={at}/run/munge.seed")
        if not self.wait(lambda: os.path.exists(f"{at}/run/munge.sock"), 10):
            return False
        self.daemon("slurmctld", "slurmctld", "-D", "-c")
        for i in range(1, self.n + 1):
            self.slurmd(i)
        return self.wait(lambda: self.states().count("idle") == self.n, 60)

    @staticmethod
    def wait(condition, seconds):
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                return False
            time.sleep(0.1)
        return True

    def run(self, *command, timeout=90, **more):
        """A command of Slurm's, to its end: CompletedProcess; returncode None: it hung."""
        process = subprocess.Popen(command, env={**self.env, **more.pop("env", {})}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return subprocess.CompletedProcess(command, None, out, err)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def states(self):
        return self.run("sinfo", "-h", "-N", "-o", "%T").stdout.split()

    def batch(self, script, *options):
        """The id of a submitted job."""
        path = tempfile.mktemp(dir=self.folder, suffix=".sh")
        with open(path, "w") as f:
            f.write("#!/bin/sh\n" + script)
        done = self.run("sbatch", "--parsable", "-o", f"{self.folder}/%A_%a.out", *options, path)
        return done.stdout.strip().split(";")[0]

    def state(self, job):
        """RUNNING, COMPLETED, ...; of an array or a heterogeneous job one word for each part."""
        return self.run("squeue", "-h", "-t", "all", "-j", job, "-o", "%T").stdout.split()

    def reason(self, job):
        """Why it waits."""
        return self.run("squeue", "-h", "-t", "pending", "-j", job, "-o", "%r").stdout.strip()

    def ended(self, job, seconds=90):
        """Waits for the end of a job; polling squeue, for `sbatch --wait` is slow."""
        ends = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY"}
        return self.wait(lambda: self.state(job) and set(self.state(job)) <= ends, seconds)

    def kill_node(self, i):
        """The node dies: its daemon and all that runs on it, at one moment."""
        host = self.node(i)
        victims = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if self.is_of(pid, host)]
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(victims)

    def is_of(self, pid, host):
        """Whether a process is in the namespace of host names that the node's daemon has."""
        daemon = self.daemons[host].pid
        try:
            return os.readlink(f"/proc/{pid}/ns/uts") == os.readlink(f"/proc/{daemon}/ns/uts")
        except OSError:
            return False

    def stop(self):
        self.run("scancel", "--signal=KILL", "--state=RUNNING", timeout=10)
        for i in range(1, self.n + 1):
            if self.node(i) in self.daemons and self.daemons[self.node(i)].poll() is None:
                self.kill_node(i)
        for process in self.daemons.values():
            if process.poll() is None:
                process.terminate()
        for process in self.daemons.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, True)
