"""Commands with sub-commands, and which options before the sub-command take a value: a table."""

from collections.abc import Callable
from functools import partial

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.options import takes
from swarm.permissions.shell.wrappers import names

DOCKER = names("-H -c -l --host --context --config --log-level --tlscacert --tlscert --tlskey")
KUBECTL = names(
    "-n -s -v --namespace --context --cluster --user --kubeconfig --server --token --as --as-group "
    "--cache-dir --certificate-authority --client-certificate --client-key --request-timeout "
    "--tls-server-name --profile"
)
PIP = names(
    "--proxy --python --log --cache-dir --timeout --retries --cert --client-cert --trusted-host "
    "--exists-action"
)
NPM = names("--prefix -w --workspace -C --registry --loglevel --userconfig --cache -c --call")
GLOBAL_VALUES: dict[str, frozenset[str]] = {
    "git": names(
        "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source"
    ),
    "docker": DOCKER,
    "podman": DOCKER | names("--root --runroot --url --connection --identity"),
    "kubectl": KUBECTL,
    "oc": KUBECTL,
    "helm": KUBECTL | names("--kube-context --registry-config --repository-cache --repository-config"),
    "npm": NPM,
    "pnpm": NPM | names("--dir --filter -F --reporter"),
    "yarn": NPM | names("--cwd --use-yarnrc"),
    "bun": names("--cwd --config"),
    "cargo": names("--config -C -Z --color --manifest-path --target-dir"),
    "rustup": frozenset(),
    "pip": PIP,
    "pip3": PIP,
    "uv": names("--directory --project --config-file --cache-dir --color --python -p"),
    "poetry": names("-C -P --directory --project"),
    "gh": names("-R --repo --hostname"),
    "glab": names("-R --repo"),
    "terraform": frozenset(),
    "tofu": frozenset(),
    "aws": names(
        "--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout"
    ),
    "gcloud": names(
        "--project --account --configuration --format --verbosity --impersonate-service-account"
    ),
    "az": names("--subscription --output -o --query"),
    "systemctl": names(
        "-H -M -t -p -n -o --host --machine --type --property --lines --output --root --state --signal"
    ),
    "apt": names("-o -c -t --option --config-file --target-release"),
    "apt-get": names("-o -c -t --option --config-file --target-release"),
    "dnf": names("-c --config --releasever --repo --enablerepo --disablerepo"),
    "yum": names("-c --config --releasever --enablerepo --disablerepo"),
    "brew": frozenset(),
    "go": names("-C"),
    "make": names("-C -f -I -j -o -W --directory --file --makefile"),
    "svn": names("--username --password --config-dir --config-option"),
    "hg": names("-R --repository --cwd --config"),
    "ip": names("-n --netns -f --family -b"),
    "vercel": names("--cwd --token --scope -t -S -A"),
    "composer": names("-d --working-dir"),
    "bundle": frozenset(),
    "dotnet": frozenset(),
    "tmux": names("-L -S -f -c -T"),
    "vault": frozenset(),
    "fly": names("-a --app -t --access-token"),
    "heroku": names("-a --app -r --remote"),
    "psql": frozenset(),
}
SECOND_LEVEL_VALUES = names(
    "-f --file -p --project-name -n --namespace -C --prefix -w --workspace --profile --env-file"
)
# Sub-commands whose own next word is what counts.
DEEPER: dict[str, frozenset[str]] = {
    **dict.fromkeys(names("npm pnpm yarn bun"), names("run run-script workspace")),
    **dict.fromkeys(names("docker podman"), names("compose image container volume network buildx system")),
    **dict.fromkeys(names("poetry uv pipenv pdm hatch rye bundle conda"), names("run exec")),
    "gh": names("pr issue repo release run workflow gist label secret variable cache"),
    "glab": names("mr issue repo release ci"),
    "kubectl": names("rollout config auth top"),
    "git": names("stash remote worktree submodule bisect notes"),
    "cargo": frozenset(),
    "terraform": names("state workspace"),
    "go": names("mod tool work"),
    "dotnet": names("tool nuget ef"),
    "aws": names("s3 s3api ec2 iam lambda ecs eks logs sts ssm dynamodb cloudformation rds sqs sns"),
    "gcloud": names("compute container run functions projects iam storage auth config"),
    "pip": frozenset(),
}
# Programs, or their sub-commands, that run the words which follow: a denied command there is asked about.
RUNNING: dict[str, frozenset[str]] = {
    **dict.fromkeys(names("docker podman nerdctl"), names("exec run compose create container")),
    **dict.fromkeys(names("kubectl oc"), names("exec run debug")),
    **dict.fromkeys(
        names(
            "poetry pipenv pdm hatch rye conda mamba micromamba bundle rbenv pyenv nvm fnm volta asdf "
            "mise rtx stack cabal dune opam mix direnv doppler op aws-vault chamber infisical vagrant "
            "multipass lxc incus devbox uv rustup flatpak snap gem composer bazel bazelisk dotnet"
        ),
        names("run exec x shell ssh tool"),
    ),
    **dict.fromkeys(names("npm pnpm yarn bun"), names("exec x dlx")),
    **dict.fromkeys(names("tox nox just salt"), frozenset()),
    "podman": names("exec run compose create container unshare machine"),
    "gh": names("extension codespace alias"),
    "aws": names("configure ssm"),
    "launchctl": names("submit load bootstrap"),
    "git": names("bisect rebase submodule filter-branch difftool mergetool for-each-repo web--browse hook"),
    "nix": names("run shell develop"),
    "adb": names("shell"),
    "tmux": names(
        "new new-session new-window send-keys send split-window respawn-pane run-shell neww splitw "
        "run if-shell"
    ),
    "cargo": names("run watch"),
    "go": names("run generate"),
    "gdb": frozenset(),
}
ALWAYS_RUNNING = names(
    "npx pnpx bunx uvx pipx nix-shell tsx ts-node dotenv envdir envchain screen at batch crontab wsl "
    "foreman honcho overmind nodemon watchexec inotifywait reflex air concurrently cross-env "
    "start-stop-daemon daemonize dtach abduco tsp perf gdb lldb rr heaptrack apptainer singularity "
    "srun sbatch mpirun mpiexec torchrun accelerate ssh-agent bwrap proot daemon uftrace ddd chsh "
    "flatpak-spawn kitty gnome-terminal alacritty foot wezterm xterm urxvt konsole xfce4-terminal tilix st "
    "qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386"
)
# Programs that run a command inside of something that is named before it.
INSIDE = names("docker podman nerdctl kubectl oc lxc incus multipass vagrant adb apptainer singularity")
# Programs whose sub-command may be the name of a command that they run.
RUNNING_SUBS = names("pnpm yarn bun")


# Programs whose options can't be cut short, so that `--tls` is a flag and not the start of `--tlscert`.
EXACT = names("git docker podman nerdctl kubectl oc helm gh glab cargo rustup uv terraform")


def without_options(call: Call) -> tuple[tuple[Arg, ...], tuple[Arg, ...]] | None:
    """The words without the options before the sub-command, and without those before the next level's."""
    values = GLOBAL_VALUES.get(call.name or "")
    if values is None:
        return None
    takes_value = values.__contains__ if call.name in EXACT else partial(takes, names=values)
    first = _skip(call.args, 1, takes_value)
    if first >= len(call.args):
        return None
    head = (call.args[0], call.args[first])
    shorter = (*head, *call.args[first + 1 :])
    if (call.args[first].value or "") not in DEEPER.get(call.name or "", ()):
        return shorter, shorter
    deeper = values | SECOND_LEVEL_VALUES
    takes_value = deeper.__contains__ if call.name in EXACT else partial(takes, names=deeper)
    second = _skip(call.args, first + 1, takes_value)
    return shorter, (*head, *call.args[second:])


def _skip(args: tuple[Arg, ...], at: int, takes_value: Callable[[str], bool]) -> int:
    while at < len(args):
        text = args[at].value
        if text is None:
            if not args[at].prefix.startswith("-"):
                return at
            at += 1
        elif text.startswith("+"):
            at += 1
        elif text == "--" or not text.startswith("-") or len(text) == 1:
            return at + (text == "--")
        else:
            at += 2 if ("=" not in text and takes_value(text)) else 1
    return at


def sub_command(call: Call) -> str:
    """The sub-command of a call, empty if the command has none."""
    found = without_options(call)
    return "" if found is None else found[0][1].value or ""


def runs_unknown(call: Call) -> bool:
    """Whether a word that such a program may take for the command cannot be known."""
    needed = 1 + ((call.name or "") in INSIDE) + ((call.name or "") in RUNNING)
    for arg in call.args[1:]:
        if arg.value is None:
            return not arg.prefix.startswith("-")
        needed -= not arg.value.startswith("-")
        if not needed:
            return False
    return False


def runs_words(call: Call) -> bool:
    """Whether the command is one that runs the words which follow."""
    name = call.name or ""
    if name in ALWAYS_RUNNING:
        return True
    subs = RUNNING.get(name)
    if subs is None:
        return False
    if name not in GLOBAL_VALUES:
        return not subs or any(arg.value in subs for arg in call.args[1:])
    return not subs or sub_command(call) in subs
