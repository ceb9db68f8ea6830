"""Programs that run another one: how to find what they run. Tables only, and how to read their lines."""

from dataclasses import dataclass
from enum import StrEnum


class Runs(StrEnum):
    """How a program's remaining words are run."""

    WORDS = "words"
    TEXT = "text"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that runs another.

    `clear`: an allow rule for what it runs is enough, if all its options are known. `flags` stand
    alone, `values` take the next word, `texts` take shell text. `operands` is how many words stand
    before the command; `assigns`: assignments may. `bare`: with nothing to run it starts a shell.
    `number`: an option may be a bare number. `opaque` are options with which it is not clear.
    """

    clear: bool = False
    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    operands: int = 0
    assigns: bool = False
    runs: Runs = Runs.WORDS
    bare: bool = False
    number: bool = False
    opaque: frozenset[str] = frozenset()


def names(text: str) -> frozenset[str]:
    """The words of a line of a table."""
    return frozenset(text.split())


def _wrapper(
    *,
    clear: bool = False,
    flags: str = "",
    values: str = "",
    texts: str = "",
    operands: int = 0,
    assigns: bool = False,
    runs: Runs = Runs.WORDS,
    bare: bool = False,
    number: bool = False,
    opaque: str = "",
) -> Wrapper:
    """One line of the table; the lists of options are texts of words."""
    return Wrapper(
        clear,
        names(flags),
        names(values),
        names(texts),
        operands,
        assigns,
        runs,
        bare,
        number,
        names(opaque),
    )


WRAPPERS: dict[str, Wrapper] = {
    "timeout": _wrapper(
        clear=True,
        flags="-f -p -v --foreground --preserve-status --verbose",
        values="-k -s --kill-after --signal",
        operands=1,
    ),
    "time": _wrapper(
        clear=True,
        flags="-p -v --portability --verbose",
        values="-f -o --format --output",
        opaque="-o --output",
        assigns=True,
    ),
    "nice": _wrapper(clear=True, values="-n --adjustment", number=True),
    "nohup": _wrapper(clear=True),
    "stdbuf": _wrapper(clear=True, values="-i -o -e --input --output --error"),
    "command": _wrapper(clear=True, flags="-p"),
    "builtin": _wrapper(clear=True),
    "ionice": _wrapper(clear=True, flags="-t --ignore", values="-c -n --class --classdata"),
    "xargs": _wrapper(
        clear=True,
        values="-I -n -P -L -s -d -E -a --arg-file --delimiter --max-lines --max-args --max-procs "
        "--max-chars --replace --process-slot-var",
        opaque="-I -n -P -L -s -d -E -a --arg-file --delimiter --max-lines --max-args --max-procs "
        "--max-chars --replace --process-slot-var",
    ),
    "env": _wrapper(values="-u -C --unset --chdir --block-signal", texts="-S --split-string", assigns=True),
    "sudo": _wrapper(
        values="-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role "
        "--type --command-timeout --other-user --chdir --chroot",
        assigns=True,
        bare=True,
    ),
    "doas": _wrapper(values="-u -C", bare=True),
    "su": _wrapper(
        values="-s -g -G -w --shell --group --supp-group --whitelist-environment",
        texts="-c --command --session-command",
        runs=Runs.NOTHING,
        bare=True,
    ),
    "runuser": _wrapper(
        values="-s -g -G -u -w --shell --group --user", texts="-c --command --session-command", bare=True
    ),
    "pkexec": _wrapper(values="--user"),
    "exec": _wrapper(values="-a"),
    "setsid": _wrapper(),
    "watch": _wrapper(values="-n --interval -q --equexit", runs=Runs.TEXT),
    "script": _wrapper(
        values="-T -o -E -I -O -B -m --log-io --log-out --log-in --log-timing --output-limit --echo "
        "--logging-format",
        texts="-c --command",
        runs=Runs.NOTHING,
        bare=True,
    ),
    "flock": _wrapper(
        values="-w -E --timeout --wait --conflict-exit-code", texts="-c --command", operands=1
    ),
    "strace": _wrapper(values="-e -o -p -s -u -E -P -S -a -b -I -O -X"),
    "ltrace": _wrapper(values="-e -o -p -s -u -a -l -n -x"),
    "unshare": _wrapper(
        values="-S -G -R -w --root --wd --setuid --setgid --setgroups --propagation --map-user",
        bare=True,
    ),
    "nsenter": _wrapper(values="-t --target -S -G --setuid --setgid", bare=True),
    "chroot": _wrapper(operands=1, bare=True),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "parallel": _wrapper(
        values="-j -N -n -I -S -a --jobs --delay --timeout --joblog --results --tmpdir --colsep "
        "--arg-file --load",
        runs=Runs.TEXT,
    ),
    "ssh": _wrapper(
        values="-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
        operands=1,
        runs=Runs.TEXT,
        bare=True,
    ),
    "chrt": _wrapper(values="-T -P -D", operands=1),
    "taskset": _wrapper(operands=1),
    "numactl": _wrapper(values="-m -N -C -i -p"),
    "prlimit": _wrapper(),
    "systemd-run": _wrapper(
        values="-p -u -M -H -E -G --unit --property --setenv --description --slice --uid --gid"
    ),
    "systemd-inhibit": _wrapper(),
    "dbus-run-session": _wrapper(),
    "xvfb-run": _wrapper(values="-n -s -e -f -p -w --server-num --server-args --error-file --auth-file"),
    "fakeroot": _wrapper(values="-l -s -i -b --lib --faked"),
    "firejail": _wrapper(),
    "bwrap": _wrapper(),
    "caffeinate": _wrapper(values="-t -w"),
    "catchsegv": _wrapper(),
    "valgrind": _wrapper(),
    "rlwrap": _wrapper(values="-H -D -f -C -P -S -s"),
    "unbuffer": _wrapper(),
    "torsocks": _wrapper(),
    "proxychains": _wrapper(values="-f"),
    "proxychains4": _wrapper(values="-f"),
    "entr": _wrapper(),
    "cpulimit": _wrapper(values="-l -p -e"),
    "dumb-init": _wrapper(),
    "tini": _wrapper(),
    "eatmydata": _wrapper(),
    "sem": _wrapper(values="-j --id --jobs", runs=Runs.TEXT),
    "noglob": _wrapper(),
    "nocorrect": _wrapper(),
    "gosu": _wrapper(operands=1),
    "su-exec": _wrapper(operands=1),
    "setpriv": _wrapper(),
    "setarch": _wrapper(operands=1),
    "linux64": _wrapper(),
    "linux32": _wrapper(),
    "hyperfine": _wrapper(
        values="-w -m -M -r -n -L -P -D -u -N_ --warmup --runs --min-runs --max-runs --style --export-json",
        texts="-s -p -c -C -S --setup --prepare --conclude --cleanup --shell",
        runs=Runs.TEXT,
    ),
    "coproc": _wrapper(),
    "!": _wrapper(),
    "{": _wrapper(),
}

SHELLS = names("bash sh zsh dash ksh mksh ash fish rbash csh tcsh")
SHELL_VALUES = names("-o +o -O +O --rcfile --init-file")
# Programs that run a program text of their own kind, from a file, an option or standard input.
INTERPRETERS = names(
    "python python2 python3 pypy pypy3 node nodejs deno bun ruby irb perl php lua luajit Rscript "
    "tclsh wish expect osascript pwsh powershell julia groovy scala ocaml ghci guile racket sbcl "
    "ts-node tsx ipython octave R swipl elixir iex erl escript gforth clojure clj raku maxima gp sage pry "
    "amm jjs runghc runhaskell stap"
)
INTERPRETER_VALUES: dict[str, frozenset[str]] = {
    "python": names("-W -X -Q --check-hash-based-pycs"),
    "node": names("-r --require --import --loader --experimental-loader -C --conditions --env-file"),
    "ruby": names("-I -r -C -E -K"),
    "perl": names("-I -C"),
    "php": names("-d -c -z"),
}
INTERPRETER_TEXTS = names("-c -e -p -pe -ne -E -r --eval --print --command --run")
INTERPRETER_MODULES = names("-m")
HARMLESS_FLAGS = names("--version -V --help -h -v")
INTERPRETER_VERBS: dict[str, frozenset[str]] = {
    "deno": names("run test bench eval repl serve"),
    "bun": names("run test x"),
}
# Built-in commands that run text, change what commands mean, or start something that no rule can cover.
UNCOVERED = names("eval exec source . trap coproc alias enable hash complete bind")
FIND_RUNNERS = names("-exec -execdir -ok -okdir")
FD_RUNNERS = names("-x -X --exec --exec-batch")


def interpreter(name: str) -> str:
    """The interpreter that a name is, without its version; empty if it is none."""
    bare = name.rstrip("0123456789.") or name
    return name if name in INTERPRETERS else bare if bare in INTERPRETERS else ""
