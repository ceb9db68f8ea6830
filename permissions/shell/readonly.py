"""Commands that only read, each with the options that leave it so. What is not listed may do more."""

from swarm.permissions.shell.wrappers import names

GREP = names(
    "-n -i -l -L -c -w -x -v -E -F -P -G -e -f -h -H -o -q -s -r -R -A -B -C -m -a -I -z -Z -b -T -u "
    "-y --color --colour --include --exclude --exclude-dir --exclude-from --line-number --ignore-case "
    "--files-with-matches --recursive --files-without-match --count --word-regexp --line-regexp "
    "--invert-match --extended-regexp --fixed-strings --perl-regexp --only-matching --no-filename "
    "--with-filename --max-count --context --after-context --before-context --quiet --silent "
    "--no-messages --regexp --file --text --null"
)
RIPGREP = names(
    "-n -i -l -c -w -x -v -F -P -e -f -o -q -s -S -A -B -C -m -g -t -T -M -j -N -H -I -U -u -a -L -. "
    "-0 -p --hidden --glob --iglob --type --type-not --files --files-with-matches "
    "--files-without-match --count --count-matches --json --line-number --no-line-number "
    "--ignore-case --smart-case --case-sensitive --word-regexp --fixed-strings --max-count "
    "--max-depth --context --after-context --before-context --no-heading --heading --color --colors "
    "--sort --sortr --stats --vimgrep --column --multiline --no-ignore --type-list --only-matching "
    "--replace -r --max-columns --trim --invert-match --with-filename --no-filename --pcre2 --text "
    "--follow --no-messages"
)
LS = names(
    "-a -A -l -h -1 -R -t -r -S -d -F -i -s -n -g -o -G -p -u -c -x -C -m -k -L -H -b -B -N -q -Q -U "
    "-v -X -Z -I -w -T --all --almost-all --human-readable --recursive --reverse --color --classify "
    "--directory --full-time --inode --size --group-directories-first --sort --time --time-style "
    "--format --ignore --hide --width --numeric-uid-gid"
)
COUNT = names("-n -c -q -v -z --lines --bytes --quiet --silent --verbose --zero-terminated")
SUMS = names("-b -t -z --binary --text --tag --zero -a")
DIFF = names(
    "-u -U -c -C -r -q -y -i -w -b -B -N -a -s -p -d -t -E -Z -e -n -I -x -W --unified --context "
    "--recursive --brief --side-by-side --ignore-case --ignore-all-space --ignore-space-change "
    "--ignore-blank-lines --new-file --text --color --width --exclude --label -L "
    "--report-identical-files --minimal --suppress-common-lines --strip-trailing-cr"
)
DIGITS = names("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9")

READ_ONLY: dict[str, frozenset[str]] = {
    **dict.fromkeys(names("grep egrep fgrep"), GREP | DIGITS),
    **dict.fromkeys(
        names("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum cksum sum"), SUMS
    ),
    **dict.fromkeys(names("true false : whoami nproc arch groups logname tty"), frozenset()),
    "pwd": names("-L -P"),
    "cd": frozenset(),
    "ls": LS,
    "cat": names(
        "-n -b -s -A -e -t -v -E -T -u --number --number-nonblank --squeeze-blank --show-all --show-ends"
    ),
    "tac": names("-b -r -s"),
    "rev": frozenset(),
    "nl": names("-b -n -w -s -v -i"),
    "head": COUNT | DIGITS,
    "tail": COUNT | DIGITS,
    "wc": names("-l -w -c -m -L --lines --words --bytes --chars --max-line-length"),
    "sort": names(
        "-u -n -r -k -t -f -b -d -g -h -i -M -R -V -s -z -c -C -m --unique --numeric-sort --reverse "
        "--key --field-separator --ignore-case --human-numeric-sort --version-sort --stable "
        "--general-numeric-sort --month-sort --check"
    ),
    "uniq": names("-c -d -u -i -f -s -w -z -D --count --repeated --unique --ignore-case --all-repeated"),
    "cut": names(
        "-d -f -c -b -s -z --delimiter --fields --characters --bytes --complement --only-delimited "
        "--output-delimiter"
    ),
    "paste": names("-d -s -z --delimiters --serial"),
    "tr": names("-d -s -c -C -t --delete --squeeze-repeats --complement"),
    "comm": names("-1 -2 -3 --total --output-delimiter"),
    "join": names("-t -o -e -1 -2 -a -v -j -i"),
    "fold": names("-w -s -b --width --spaces"),
    "fmt": names("-w -s -u --width"),
    "expand": names("-t -i --tabs"),
    "unexpand": names("-t -a --tabs --all"),
    "column": names("-t -s -n -c -x -o --table --separator"),
    "diff": DIFF,
    "cmp": names("-l -s -b -i -n --verbose --silent --quiet --print-bytes --bytes"),
    "file": names("-b -i -L -h -k -z -s -0 --brief --mime --mime-type --mime-encoding --dereference"),
    "stat": names("-c -L -t -f --format --printf --dereference --terse --file-system"),
    "du": names(
        "-s -h -a -c -k -m -b -d -x -L -S -0 --summarize --human-readable --all --total --max-depth "
        "--apparent-size"
    ),
    "df": names("-h -H -T -i -k -m -a -l --human-readable --print-type --inodes --total"),
    "tree": names(
        "-a -d -L -f -I -P -h -p -s -D -C -F -i -n -r -t -u -g --dirsfirst --noreport --gitignore "
        "--du --prune"
    ),
    "rg": RIPGREP,
    "fd": names(
        "-e -t -d -E -S -H -I -u -g -F -a -l -0 -p -s -i -L -1 -q --extension --type --max-depth "
        "--exclude --size --hidden --no-ignore --glob --fixed-strings --absolute-path --color "
        "--full-path --case-sensitive --ignore-case"
    ),
    "basename": names("-a -s -z --multiple --suffix"),
    "dirname": names("-z --zero"),
    "realpath": names("-e -m -s -q -z -L -P --relative-to --relative-base"),
    "readlink": names("-f -e -m -n -q -s -v -z --canonicalize"),
    "echo": names("-n -e -E"),
    "printf": frozenset(),
    "test": frozenset(),
    "[": frozenset(),
    "which": names("-a --all -s"),
    "type": names("-a -t -p -P -f"),
    "command": names("-v -V"),
    "id": names("-u -g -G -n -r"),
    "hostname": names("-s -f -i -I -d --short --fqdn"),
    "uname": names("-a -s -n -r -v -m -p -i -o --all"),
    "date": names("-u -R -I -d --utc --universal --iso-8601 --rfc-3339 --rfc-email --date"),
    "cal": names("-1 -3 -m -y -j"),
    "uptime": names("-p -s"),
    "seq": names("-s -w -f --separator --equal-width --format"),
    "od": names("-A -j -N -t -w -v -a -b -c -d -o -x -i -l -s -f"),
    "hexdump": names("-C -n -s -v -b -c -d -o -x -e"),
    "xxd": names("-a -b -c -g -i -l -o -p -ps -s -u -e -E"),
    "strings": names("-a -n -t -e -f -o -w --all --bytes --radix --encoding"),
    "jq": names(
        "-r -c -s -n -e -M -S -C -a -j -R --raw-output --compact-output --slurp --sort-keys --tab "
        "--indent --arg"
    ),
    "sed": names(
        "-n -E -r -e -s -z -u --quiet --silent --regexp-extended --expression --separate --posix --debug"
    ),
    **dict.fromkeys(names("awk gawk mawk nawk"), names("-F -v --field-separator --assign")),
}
NO_OPERANDS = names("whoami nproc arch groups logname tty hostname uname uptime df")
FIND_TESTS = names(
    "-print -print0 -depth -empty -not -a -o -and -or ! ( ) , -prune -quit -ls -daystart -mount -xdev "
    "-follow -true -false -readable -writable -executable -nouser -nogroup -noleaf -H -L -P"
)
FIND_VALUES = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -atime "
    "-ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -maxdepth -mindepth "
    "-links -inum -samefile -printf -fstype -regextype -lname -ilname -used"
)
GIT_LOG = names(
    "-n -p -u -U -w -b -M -C -S -G -L -z -a -i -E -F -c -q --oneline --graph --all --decorate --stat "
    "--shortstat --numstat --name-only --name-status --summary --since --until --after --before "
    "--author --committer --grep --format --pretty --date --abbrev-commit --no-merges --merges "
    "--first-parent --reverse --follow --patch --no-patch -s --max-count --skip --color --no-color "
    "--cached --staged --word-diff --check --diff-filter --minimal --patience --histogram --exit-code "
    "--quiet --ignore-space-change --ignore-all-space --ignore-blank-lines --unified --raw "
    "--topo-order --date-order --branches --tags --remotes --no-ext-diff --no-textconv --merge-base "
    "--relative --dirstat --find-renames --no-renames"
)
GIT_READ_ONLY: dict[str, frozenset[str]] = {
    "status": names(
        "-s -b -u -v -z --short --branch --porcelain --untracked-files --ignored --long --show-stash"
    ),
    "diff": GIT_LOG,
    "log": GIT_LOG | DIGITS,
    "show": GIT_LOG,
    "shortlog": names("-s -n -e --summary --numbered --email --all --since --until --no-merges"),
    "branch": names(
        "-a -r -v -l --all --remotes --verbose --list --show-current --merged --no-merged --contains "
        "--sort --format"
    ),
    "tag": names("-l -n --list --sort --contains --points-at --merged --format"),
    "blame": names("-L -w -C -M -e -l -s -t -n -f --date --since --porcelain --show-email"),
    "remote": names("-v --verbose"),
    "rev-parse": names(
        "--abbrev-ref --short --show-toplevel --git-dir --is-inside-work-tree --verify "
        "--symbolic-full-name --show-prefix -q"
    ),
    "rev-list": names("--count --all --max-count -n --left-right --no-merges --since --until"),
    "describe": names("--tags --always --dirty --long --abbrev --all --match --exact-match"),
    "ls-files": names(
        "-c -d -m -o -s -u -z -t --cached --deleted --modified --others --stage --exclude-standard "
        "--full-name"
    ),
    "ls-tree": names("-r -d -t -l -z --name-only --full-name --full-tree --long"),
    "cat-file": names("-p -t -s -e"),
    "grep": names(
        "-n -i -l -L -c -w -v -E -F -P -G -e -h -H -o -q -A -B -C -m -p -W -I --line-number "
        "--ignore-case --count --cached --untracked --files-with-matches --word-regexp --name-only "
        "--color --max-depth --heading --break"
    ),
    "stash": names("-p --stat"),
    "reflog": GIT_LOG | DIGITS,
    "worktree": names("-v --porcelain -z"),
    "merge-base": names("-a --all --is-ancestor --fork-point --octopus"),
    "name-rev": names("--name-only --tags --always"),
    "for-each-ref": names("--sort --format --count --contains --merged --points-at"),
    "count-objects": names("-v -H"),
    "diff-tree": GIT_LOG | names("-r -t --root --no-commit-id"),
    "version": frozenset(),
}
# Sub-commands that only read where this word follows, or where nothing follows.
GIT_NEEDS_WORD: dict[str, frozenset[str]] = {
    "stash": names("list show"),
    "worktree": names("list"),
    "reflog": names("show") | {""},
    "remote": names("get-url") | {""},
}
# Sub-commands whose operands name what is made, but with one of these options only what is listed.
GIT_LISTS: dict[str, frozenset[str]] = {
    "branch": names("-l --list --contains --merged --no-merged --show-current"),
    "tag": names("-l --list --contains --points-at --merged -n"),
}
GIT_GLOBAL = names("--no-pager -P --no-optional-locks --literal-pathspecs")
