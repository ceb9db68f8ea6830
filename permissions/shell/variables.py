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
    r"|LESSOPEN|LESSCLOSE|PS[0-4]|PROMPT_COMMAND|RSYNC_RSH|RSYNC_CONNECT_PROG|CVS_RSH|SVN_SSH|HGEDITOR"
    r"|GIT_PROXY_COMMAND|FZF_DEFAULT_COMMAND|MAKE|CC|CXX|LD|AR|RUSTC|RUSTC_(?:WORKSPACE_)?WRAPPER"
    r"|CARGO_.*(?:RUNNER|LINKER)|GDB|PERL5SHELL|COMSPEC|BASH_FUNC_.*"
)
# Variables that make programs load and run a file or a text of their own kind.
LOADING = re.compile(
    r"BASH_ENV|ENV|ZDOTDIR|LD_(?:PRELOAD|AUDIT)|DYLD_.*|PERL5(?:OPT|DB)|RUBYOPT"
    r"|PYTHON(?:STARTUP|HOME|INSPECT|BREAKPOINT|USERBASE)|NODE_OPTIONS|GIT_(?:CONFIG.*|EXEC_PATH|TEMPLATE_DIR)"
    r"|TAR_OPTIONS|G?N?U?MAKEFLAGS|MAKEFILES|VIMINIT|EXINIT|GCONV_PATH|LUA_INIT.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS"
    r"|JDK_JAVA_OPTIONS|OPENSSL_CONF|SQLITE_HISTORY|ZIPOPT|RIPGREP_CONFIG_PATH|FZF_DEFAULT_OPTS"
)
PLAIN_OPTIONS = re.compile(
    r"(?:(?:--max[-_]old[-_]space[-_]size=\d++|--[a-z-]++|-j ?\d*+|-[ks]|-Xm[sx]\w++)\s*+)*+"
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


def loading(name: str, value: str | None = None) -> bool:
    """Whether setting the variable so makes programs run a file or text that cannot be followed."""
    if LOADING.fullmatch(name) is None:
        return False
    return value is None or PLAIN_OPTIONS.fullmatch(value) is None


def holds_command(text: str) -> bool:
    """Whether a text would run a command if it were expanded: arithmetic and array indexes do that."""
    return "$(" in text or "`" in text


def risky(text: str) -> bool:
    """Whether a text that cannot be read speaks of what the guards are about."""
    return RISKS.search(text) is not None


def reads_variables(arithmetic: str) -> bool:
    """Whether an arithmetic text reads variables."""
    return ARITHMETIC_NAME.search(arithmetic) is not None
