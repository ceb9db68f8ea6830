"""Programs with options that name a command to run: a table, and finding those texts among words. Pure."""

import re
from dataclasses import replace

from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.wrappers import names

TAR = names(
    "-I -F --use-compress-program --to-command --checkpoint-action --rsh-command --info-script "
    "--new-volume-script --rmt-command"
)
GCC = names("-wrapper")
SSH = names("-o")
NETCAT = names("-e -c --exec --sh-exec")
TEXT_OPTIONS: dict[str, frozenset[str]] = {
    **dict.fromkeys(names("tar gtar bsdtar"), TAR),
    **dict.fromkeys(names("gcc g++ cc c++ clang clang++"), GCC),
    **dict.fromkeys(names("ssh mosh"), SSH),
    **dict.fromkeys(names("scp sftp"), names("-S -o")),
    **dict.fromkeys(names("nc ncat netcat"), NETCAT),
    **dict.fromkeys(names("svn"), names("--diff-cmd --editor-cmd --diff3-cmd --merge-cmd")),
    **dict.fromkeys(names("hg"), names("--ssh -e --remotecmd --tool")),
    **dict.fromkeys(names("diff3 sdiff"), names("--diff-program")),
    **dict.fromkeys(names("yt-dlp youtube-dl"), names("--exec --exec-before-download")),
    **dict.fromkeys(names("npm pnpm yarn"), names("--script-shell --editor --viewer --shell --browser")),
    **dict.fromkeys(names("xterm urxvt konsole gnome-terminal kitty alacritty"), names("-e -x")),
    "sort": names("--compress-program"),
    "split": names("--filter"),
    "zip": names("-TT --unzip-command"),
    "rsync": names("-e --rsh --rsync-path"),
    "rg": names("--pre --hostname-bin"),
    "ag": names("--pager"),
    "ack": names("--pager"),
    "bat": names("--pager"),
    "batcat": names("--pager"),
    "install": names("--strip-program"),
    "man": names("-P --pager -H --html"),
    **dict.fromkeys(names("bazel bazelisk"), names("--run_under")),
    **dict.fromkeys(names("just"), names("-c --command --shell")),
    "flatpak": names("--command"),
    "vagrant": names("-c --command"),
    "wget": names("--use-askpass"),
    "go": names("-exec -toolexec -vettool"),
    "fzf": names("--preview"),
    "aria2c": names(
        "--on-download-complete --on-download-start --on-download-error --on-bt-download-complete"
    ),
    "cpio": names("--rsh-command"),
    "tcpdump": names("-z --postrotate-command"),
    "gpg": names("--photo-viewer --agent-program --dirmngr-program --keyserver-program"),
    "sshfs": names("-o"),
    "mysql": names("--pager"),
    "git": names(
        "--upload-pack --receive-pack --exec --extcmd --open-files-in-pager --smtp-server --to-cmd "
        "--cc-cmd --tree-filter --index-filter --msg-filter --env-filter --commit-filter --tag-name-filter "
        "--parent-filter"
    ),
}
# Settings behind `-o` and of tar's checkpoints whose value is a command; other ones are none.
SETTINGS = names("-o --checkpoint-action")
RUN_SETTING = re.compile(r"(?:\w*command|exec)\s*[= ]\s*(.*)", re.IGNORECASE | re.DOTALL)
# What everybody gives: a program to compress with, or ssh with plain options.
USUAL = re.compile(
    r"(?:pigz|gzip|zstd|zstdmt|xz|bzip2|pbzip2|pixz|lz4|lzip|lzop|less|cat|never|auto|none)(?: -[\w=-]+)*"
    r"|ssh(?: -(?:[p] ?\d+|[qT46Cvx]|[il] ?[\w./@-]+))*"
)


def texts_of(name: str, args: tuple[Arg, ...]) -> list[Arg]:
    """The texts among a program's words that it runs as commands. `args` begin after its name."""
    options = TEXT_OPTIONS.get(name)
    if not options:
        return []
    found = _old_style(args) if options is TAR else []
    for at, arg in enumerate(args):
        text = arg.value if arg.value is not None else arg.prefix
        if text == "--":
            break
        if len(text) < 2 or text[0] != "-":
            continue
        option, holder = _text(options, arg, text, args[at + 1] if at + 1 < len(args) else None)
        if holder is not None and option in SETTINGS:
            holder = _command(holder)
        elif holder is not None and option == "-wrapper" and holder.value is not None:
            holder = replace(holder, value=holder.value.replace(",", " "))
        if holder is not None and USUAL.fullmatch(holder.value or "") is None:
            found.append(holder)
    return found


def _old_style(args: tuple[Arg, ...]) -> list[Arg]:
    """tar's keys without a dash take their values from the following words in turn."""
    keys = args[0].value or "-" if args else "-"
    at = next((place for place, key in enumerate(keys) if key in "IF"), -1)
    if keys.startswith("-") or at < 0:
        return []
    number = 1 + sum(key in "fbCHKLNTVXg" for key in keys[:at])
    return list(args[number : number + 1])


def _text(options: frozenset[str], arg: Arg, text: str, following: Arg | None) -> tuple[str, Arg | None]:
    name, equals, inline = text.partition("=")
    if text.startswith("--"):
        fits = next((option for option in options if option.startswith(name) and len(name) > 3), "")
        if not fits:
            return "", None
        return fits, _inline(arg, inline) if equals else following
    whole = f"-{name.lstrip('-')}"
    if whole in options:
        return whole, _inline(arg, inline) if equals else following
    for place, letter in enumerate(text[1:], 2):
        if f"-{letter}" in options:
            rest = text[place:]
            return f"-{letter}", _inline(arg, rest) if rest else following
        if not letter.isalpha():
            break
    return "", None


def _inline(arg: Arg, text: str) -> Arg:
    if arg.value is None:
        return replace(arg, prefix=text)
    return replace(arg, value=text, pattern="")


def _command(holder: Arg) -> Arg | None:
    """The command in `ProxyCommand=x` or `exec=x`; none if the setting is another one."""
    if holder.value is None:
        return holder
    found = RUN_SETTING.fullmatch(holder.value)
    return replace(holder, value=found[1], pattern="") if found else None
