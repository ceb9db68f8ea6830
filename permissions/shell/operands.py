"""Which words of a command name files, and what it does with them: a table of readers and writers."""

from dataclasses import dataclass, field

from swarm.permissions.shell.wrappers import names

READ = "r"
WRITE = "w"
BOTH = "rw"
DELETE = "d"
SKIP = "s"
PROGRAM = "p"
NONE = frozenset[str]()


@dataclass(frozen=True, slots=True)
class Files:
    """How a command treats its operands.

    `first` are the roles of the leading operands, `rest` of those that follow, `last` of the last one.
    `p` is a program text, which an option of `programs` can give instead. `values` take a word that is
    no file; `reads`, `writes` take a file. `walks`: it goes through folders, always ("*") or with one
    of these options. `places`: with one of these options operands are written. `lists`: with no
    operand it takes the working directory.
    """

    first: tuple[str, ...] = ()
    rest: str = READ
    last: str = ""
    values: frozenset[str] = NONE
    reads: frozenset[str] = NONE
    writes: frozenset[str] = NONE
    programs: frozenset[str] = NONE
    walks: frozenset[str] = NONE
    places: frozenset[str] = NONE
    lists: bool = False
    all_values: frozenset[str] = field(default=NONE)
    single_dash: bool = False


def _files(
    first: str = "",
    rest: str = READ,
    last: str = "",
    *,
    values: str = "",
    reads: str = "",
    writes: str = "",
    programs: str = "",
    walks: str = "",
    places: str = "",
    lists: bool = False,
    single_dash: bool = False,
) -> Files:
    taken = names(f"{values} {reads} {writes}") | (names(programs) - names("-f_"))
    return Files(
        tuple(first.split()),
        rest,
        last,
        names(values),
        names(reads),
        names(writes),
        names(programs),
        names(walks),
        names(places),
        lists,
        taken,
        single_dash,
    )


READER = _files()
CHECKSUM = _files(values="")
GREP = _files(
    PROGRAM,
    values="-A -B -C -m -D -d --after-context --before-context --context --max-count --include "
    "--exclude --exclude-dir --color --colour --binary-files --label --devices --directories "
    "--group-separator",
    reads="-f --file --exclude-from",
    programs="-e -f --regexp --file",
    walks="-r -R --recursive --dereference-recursive",
    lists=False,
)
RIPGREP = _files(
    PROGRAM,
    values="-A -B -C -m -g -t -T -M -j -r -E -d -N_ --glob --iglob --type --type-not --max-count "
    "--max-depth --max-columns --threads --replace --encoding --after-context --before-context "
    "--context --sort --sortr --color --colors --pre-glob --context-separator --engine --max-filesize "
    "--dfa-size-limit --path-separator",
    reads="-f --file --ignore-file --pre",
    programs="-e -f --regexp --file --files --type-list",
    walks="*",
    lists=True,
)
COPY = _files(
    rest=READ,
    last=WRITE,
    values="-S --suffix --backup --reflink --sparse --preserve --no-preserve -m -o -g --mode --owner "
    "--group",
    writes="-t --target-directory",
    walks="-r -R -a --recursive --archive",
)
REMOVE = _files(rest=DELETE, walks="-r -R --recursive", values="-n -s --iterations --size --random-source")
COMPRESS = _files(
    rest=BOTH, values="-S --suffix -b -T --threads -M --memlimit -F --format", walks="-r --recursive"
)
EDITOR = _files(rest=BOTH, values="-c --cmd -u")
OWNER = _files(SKIP, rest=WRITE, reads="--reference", walks="-R --recursive")

FILES: dict[str, Files] = {
    **dict.fromkeys(
        names(
            "cat tac nl rev less more zcat bzcat xzcat zless zmore bzless xzless bat batcat "
            "pygmentize sum cksum fold fmt pr expand unexpand tsort shuf factor column look most "
            "vmstat"
        ),
        READER,
    ),
    **dict.fromkeys(
        names("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 crc32"), CHECKSUM
    ),
    **dict.fromkeys(names("grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep rgrep"), GREP),
    **dict.fromkeys(names("rg ag ack ack-grep ugrep"), RIPGREP),
    **dict.fromkeys(
        names("awk gawk mawk nawk"),
        _files(
            PROGRAM,
            values="-F -v --field-separator --assign",
            reads="-f --file -i --include -E --exec",
            programs="-f --file -e --source -E --exec",
        ),
    ),
    **dict.fromkeys(
        names("vi vim nvim nano pico emacs micro helix hx code subl ed ex gedit kate joe mcedit"), EDITOR
    ),
    **dict.fromkeys(
        names("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma unlzma lz4 compress uncompress"), COMPRESS
    ),
    **dict.fromkeys(names("rm unlink rmdir shred srm trash trash-put"), REMOVE),
    **dict.fromkeys(names("chown chgrp chmod chattr setfacl chcon"), OWNER),
    "head": _files(values="-n -c --lines --bytes"),
    "tail": _files(values="-n -c -s --lines --bytes --sleep-interval --pid --max-unchanged-stats"),
    "wc": _files(reads="--files0-from", values="--total"),
    "od": _files(
        values="-A -j -N -t -w -S --address-radix --skip-bytes --read-bytes --format --width --strings"
    ),
    "hexdump": _files(values="-n -s -e", reads="-f"),
    "hd": _files(values="-n -s -e", reads="-f"),
    "xxd": _files(f"{READ} {WRITE}", values="-c -g -l -o -s -n -R", rest=WRITE),
    "strings": _files(values="-n -t -e -T -s --bytes --radix --encoding --target"),
    "file": _files(
        reads="-f -m --files-from --magic-file", values="-e -F -P --exclude --separator --parameter"
    ),
    "stat": _files(values="-c --format --printf"),
    "base64": _files(values="-w --wrap -b", reads="-i --input", writes="-o --output"),
    "base32": _files(values="-w --wrap"),
    "cmp": _files(f"{READ} {READ} {SKIP} {SKIP}", rest=SKIP, values="-i -n --ignore-initial --bytes"),
    "diff": _files(
        values="-U -C -I -x -W -L -F -S --unified --context --label --width --exclude --starting-file "
        "--color",
        reads="-X --exclude-from --from-file --to-file",
        writes="",
        walks="-r --recursive",
    ),
    "colordiff": _files(values="-U -C -I -x -W -L", walks="-r"),
    "sdiff": _files(values="-w --width", writes="-o --output"),
    "comm": _files(values="--output-delimiter"),
    "join": _files(values="-t -o -e -1 -2 -a -v -j"),
    "paste": _files(values="-d --delimiters"),
    "cut": _files(values="-d -f -c -b --delimiter --fields --characters --bytes --output-delimiter"),
    "sort": _files(
        values="-k -t -S --key --field-separator --buffer-size --parallel --sort --batch-size "
        "--compress-program",
        reads="--files0-from --random-source",
        writes="-o --output -T --temporary-directory",
    ),
    "uniq": _files(
        f"{READ} {WRITE}", rest=WRITE, values="-f -s -w --skip-fields --skip-chars --check-chars"
    ),
    "sed": _files(
        PROGRAM,
        values="-l --line-length",
        reads="-f --file",
        programs="-e -f --expression --file",
        places="-i --in-place -I",
    ),
    "jq": _files(
        PROGRAM,
        values="--indent --tab_ --arg --argjson",
        reads="-f --from-file -L --rawfile --slurpfile --argfile",
        programs="-f --from-file",
    ),
    "yq": _files(PROGRAM, values="-o -p --output-format --input-format", places="-i --inplace"),
    "ls": _files(
        values="-I -w -T --ignore --width --tabsize --hide --color --format --sort --time",
        lists=True,
        walks="-R --recursive",
    ),
    "dir": _files(lists=True, walks="-R --recursive"),
    "vdir": _files(lists=True, walks="-R --recursive"),
    "exa": _files(lists=True, walks="-R --recurse -T --tree"),
    "eza": _files(lists=True, walks="-R --recurse -T --tree"),
    "tree": _files(
        values="-L -I -P -H -T --charset --filelimit --sort --timefmt",
        reads="--fromfile --gitfile",
        writes="-o",
        walks="*",
        lists=True,
    ),
    "du": _files(
        values="-d -t -B --max-depth --threshold --block-size --exclude --time-style",
        reads="-X --exclude-from --files0-from",
        walks="*",
        lists=True,
    ),
    "fd": _files(
        PROGRAM,
        values="-e -t -d -E -S -c -j -o --extension --type --max-depth --exclude --size --color "
        "--threads --owner --changed-within --changed-before --format",
        reads="--search-path --base-directory --ignore-file",
        walks="*",
        lists=True,
    ),
    "cp": COPY,
    "install": COPY,
    "mv": _files(rest=BOTH, last=WRITE, values="-S --suffix --backup", writes="-t --target-directory"),
    "rename": _files(SKIP, rest=BOTH),
    "ln": _files(rest=READ, last=WRITE, values="-S --suffix --backup", writes="-t --target-directory"),
    "link": _files(READ, rest=WRITE),
    "rsync": _files(
        rest=READ,
        last=WRITE,
        values="-e -f --rsh --filter --exclude --include --bwlimit --timeout --port",
        reads="--files-from --exclude-from --include-from",
        writes="--backup-dir --log-file",
        walks="-r -a --recursive --archive",
    ),
    "scp": _files(rest=READ, last=WRITE, values="-P -l -o -c -J -D -S -X", reads="-F -i", walks="-r"),
    "mkdir": _files(rest=WRITE, values="-m --mode"),
    "mkfifo": _files(rest=WRITE, values="-m --mode"),
    "mknod": _files(WRITE, rest=SKIP, values="-m --mode"),
    "touch": _files(rest=WRITE, values="-d -t --date --time", reads="-r --reference"),
    "tee": _files(rest=WRITE, values="--output-error"),
    "sponge": _files(rest=WRITE),
    "truncate": _files(rest=WRITE, values="-s --size", reads="-r --reference"),
    "fallocate": _files(rest=WRITE, values="-l -o --length --offset"),
    "split": _files(
        f"{READ} {WRITE}", values="-a -b -C -l -n -t --bytes --lines --number --suffix-length --filter"
    ),
    "csplit": _files(READ, rest=SKIP, values="-b -n", writes="-f --prefix"),
    "zip": _files(
        WRITE, rest=READ, values="-x -i -n -t -tt -P --password", writes="-O --out -b", walks="-r"
    ),
    "zipinfo": _files(READ, rest=SKIP),
    "patch": _files(
        rest=WRITE, values="-p -F -B -z -V -D", reads="-i --input", writes="-o --output -r -d --directory"
    ),
    "iconv": _files(values="-f -t --from-code --to-code", writes="-o --output"),
    "wget": _files(
        rest=SKIP,
        values="-t -T -U -e --header --user --password --tries --timeout --user-agent --method "
        "--body-data --post-data",
        reads="-i --input-file --post-file --body-file --load-cookies --certificate --private-key "
        "--ca-certificate",
        writes="-O -o -a -P --output-document --output-file --append-output --directory-prefix "
        "--save-cookies",
    ),
    "readlink": _files(),
    "realpath": _files(values="--relative-to --relative-base"),
    "xmllint": _files(values="--xpath", writes="--output -o"),
    "openssl": _files(
        SKIP, rest=SKIP, reads="-in -inkey -key -CAfile -cert", writes="-out -keyout", single_dash=True
    ),
    "gpg": _files(reads="", writes="-o --output", values="-r -u --recipient --local-user"),
    "mysql": _files(rest=SKIP),
    "sqlite3": _files(BOTH, rest=SKIP),
    "nc": _files(rest=SKIP),
    "sha256": READER,
    "xargs": _files(rest=SKIP, reads="-a --arg-file", values="-I -n -P -L -s -d -E"),
    "source": _files(READ, rest=SKIP),
    ".": _files(READ, rest=SKIP),
    "flock": _files(WRITE, rest=SKIP),
    "script": _files(
        WRITE, rest=SKIP, values="-c --command", writes="-O -B -T --log-out --log-io --log-timing"
    ),
    "time": _files(rest=SKIP, values="-f --format", writes="-o --output"),
    "strace": _files(rest=SKIP, writes="-o --output", values="-e -p -s -u"),
    **dict.fromkeys(
        names("make gmake"), _files(rest=SKIP, reads="-f --file --makefile -I", writes="-C --directory")
    ),
    "gcc": _files(values="-x -l -L -D", writes="-o"),
    "cc": _files(values="-x -l -L -D", writes="-o"),
    "clang": _files(values="-x -l -L -D", writes="-o"),
    "g++": _files(values="-x -l -L -D", writes="-o"),
}
