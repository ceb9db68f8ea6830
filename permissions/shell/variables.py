"""Variables that matter to what commands do: harmless, powerful, and those that name a command."""

import re

from swarm.permissions.shell.wrappers import names

HARMLESS = names(
    "NODE_ENV LANG LANGUAGE TZ CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE PYTHONUNBUFFERED "
    "PYTHONDONTWRITEBYTECODE RUST_LOG RUST_BACKTRACE DEBUG TERM COLUMNS LINES RAILS_ENV RACK_ENV "
    "APP_ENV ENVIRONMENT VERBOSE LOG_LEVEL"
)
HARMLESS_FORM = re.compile(r"LC_[A-Z]+")
# Variables that change what later commands do or run.
POWERFUL = re.compile(
    r"PATH|CDPATH|HOME|IFS|ENV|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|SHELL|TMPDIR|POSIXLY_CORRECT|EDITOR|VISUAL"
    r"|BROWSER|.*PAGER|LESSOPEN|LESSCLOSE|LESS|LD_.*|DYLD_.*|PYTHON.*|NODE_.*|NPM_CONFIG_.*|npm_config_.*|GIT_.*|BASH_.*"
    r"|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|JDK_.*|_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|CARGO_.*|RUSTC.*|RUSTFLAGS"
    r"|CC|CXX|MAKE.*|CMAKE_.*|GO[A-Z]+|DOCKER_.*|KUBECONFIG|AWS_.*|SSH_.*|SUDO_.*|.*_PROXY|.*_proxy|GCONV_PATH|FPATH"
    r"|GLOBIGNORE|HISTFILE|INPUTRC|OPTERR|TAR_OPTIONS|GREP_OPTIONS|RSYNC_.*|CURL_.*|WGETRC|XDG_.*|PIP_.*|VIRTUAL_ENV"
)
# Variables whose value is a command that other programs run.
COMMANDS = re.compile(
    r"(?:.*_)?PAGER|MANPAGER|(?:.*_)?EDITOR|VISUAL|BROWSER|GIT_SSH(?:_COMMAND)?|.*_ASKPASS|GIT_EXTERNAL_DIFF"
    r"|LESSOPEN|LESSCLOSE|PS[0-4]|PROMPT_COMMAND|RSYNC_RSH|CVS_RSH"
)
RISKS = re.compile(
    r"\b(?:rm|rmdir|unlink|shred|delete)\b"
    r"|\.(?:git|swarm|claude|codex|gemini|ssh|vscode|idea|husky|envrc|mcp|bash|zsh|profile|kshrc|cshrc|config)"
)
ARITHMETIC_NAME = re.compile(r"[A-Za-z_]")


def harmless(name: str) -> bool:
    """Whether a command may be run with the variable set under a rule for the command alone."""
    return name in HARMLESS or HARMLESS_FORM.fullmatch(name) is not None


def powerful(name: str) -> bool:
    """Whether setting the variable may change what later commands do."""
    return not harmless(name) and POWERFUL.fullmatch(name) is not None


def names_command(name: str) -> bool:
    """Whether the variable's value is a command that others run."""
    return COMMANDS.fullmatch(name) is not None


def holds_command(text: str) -> bool:
    """Whether a text would run a command if it were expanded: arithmetic and array indexes do that."""
    return "$(" in text or "`" in text


def risky(text: str) -> bool:
    """Whether a text that cannot be read speaks of what the guards are about."""
    return RISKS.search(text) is not None


def reads_variables(arithmetic: str) -> bool:
    """Whether an arithmetic text reads variables."""
    return ARITHMETIC_NAME.search(arithmetic) is not None
