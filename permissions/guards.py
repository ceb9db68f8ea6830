"""The two guards that no allow rule lifts: critical deletions, and writes to protected paths. Pure."""

from itertools import pairwise

from swarm.permissions.model import Folders, Mode
from swarm.permissions.paths import inside, normal
from swarm.permissions.shell.wrappers import names

PROTECTED_NAMES = names(
    ".git .swarm .claude .codex .gemini .ssh .vscode .idea .husky .envrc .mcp.json .gitconfig "
    ".gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
    ".zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .xsessionrc "
    ".pam_environment"
)
PROTECTED_PAIRS = frozenset(
    {(".config", "fish"), (".config", "git"), ("etc", "profile"), ("etc", "profile.d")}
)
# Names that matter inside protected folders, for a write into a folder that is not known.
PROTECTED_BELOW = names(
    "config HEAD hooks info objects refs attributes ignore config.toml config.json config.fish conf.d "
    "authorized_keys known_hosts rc environment settings.json settings.local.json tasks.json launch.json "
    "mcp.json hooks.json workspace.xml applypatch-msg pre-applypatch post-applypatch pre-commit "
    "pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge "
    "pre-push pre-receive update post-receive post-update push-to-checkout pre-auto-gc post-rewrite "
    "fsmonitor-watchman"
)
OWN_BELOW_HOME = (".config/swarm", ".local/state/swarm")
OWN_SYSTEM = "/etc/swarm"


def protected_name(path: str, folds: bool) -> str:
    """The part of a normal path that makes it protected; empty if none does."""
    parts = (path.casefold() if folds else path).split("/")
    for name in parts:
        if name in PROTECTED_NAMES:
            return name
    for pair in pairwise(parts):
        if pair in PROTECTED_PAIRS:
            return "/".join(pair)
    return ""


def own_folders(folders: Folders) -> tuple[str, ...]:
    """This program's own folders: where its settings and sessions lie."""
    known = (*map(str, folders.own), *(f"{folders.home}/{name}" for name in OWN_BELOW_HOME), OWN_SYSTEM)
    return tuple(dict.fromkeys(normal(folder) for folder in known))


def own_folder(path: str, own: tuple[str, ...]) -> str:
    """Which of this program's own folders a normal path lies in; empty if none."""
    return next((folder for folder in own if inside(path, folder)), "")


def protected_write(paths: tuple[str, ...], own: tuple[str, ...], mode: Mode, folds: bool) -> str:
    """Why writing one of these forms of a path has to be asked; empty if it need not."""
    for path in paths:
        if own_folder(path, own) or "/.swarm/" in f"{path}/":
            return f"{path} belongs to this program's own settings or sessions: protected in every mode."
        name = protected_name(path, folds)
        if name and mode is not Mode.BYPASS:
            return f"{path} is protected ({name}): a write there is always asked."
    return ""


def protected_read(paths: tuple[str, ...], own: tuple[str, ...]) -> str:
    """Why reading one of these forms of a path has to be asked; empty if it need not."""
    for path in paths:
        if own_folder(path, own):
            return f"{path} belongs to this program's own settings or sessions: reading is always asked."
    return ""


def own_below(paths: tuple[str, ...], own: tuple[str, ...]) -> str:
    """Why what goes down into a folder, replaces or moves it has to be asked; empty if it need not."""
    for path in paths:
        found = next((folder for folder in own if inside(folder, path)), "")
        if found:
            return f"Below {path} lies {found}, this program's own settings or sessions: always asked."
    return ""


def critical_target(path: str, cwd: str, home: str) -> str:
    """What a normal path is that must not be deleted unasked; empty if it is nothing of the kind."""
    if path == "/":
        return "the root of the file system"
    if path == home or inside(home, path):
        return "the home folder" if path == home else "a parent of the home folder"
    if path == cwd or inside(cwd, path):
        return "the working directory" if path == cwd else "a parent of the working directory"
    if path.count("/") == 1:
        return "a top-level folder"
    return ""
