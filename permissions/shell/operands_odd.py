"""Tables for commands whose operands are no plain list: those without files, curl and tar."""

from swarm.permissions.shell.wrappers import names

# Commands that take no files, or only names of them: their words are plain text.
FILELESS = names(
    "echo printf true false : test [ [[ cd pwd pushd popd dirs exit return export declare typeset "
    "local readonly unset set shift alias unalias type which whereis hash help history jobs fg bg "
    "wait kill sleep date cal uname hostname whoami id groups users who w uptime free df ps pgrep "
    "pkill killall seq yes expr bc dc tr basename dirname env printenv tput clear reset nproc arch "
    "tty stty locale getconf umask ulimit trap eval exec read let mapfile git journalctl curl dd tar "
    "find unzip bsdtar"
)
# Options of curl with a value; those that name files are told apart in the module for odd operands.
CURL_READS = names(
    "-T -K -E -b --upload-file --config --cert --key --cacert --netrc-file --cookie --capath"
)
CURL_WRITES = names(
    "-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --stderr --output-dir --hsts "
    "--etag-save --libcurl"
)
CURL_DATA = names(
    "-d -F -H --data --data-binary --data-ascii --data-raw_ --data-urlencode --form --header --json "
    "--url-query --variable"
)
CURL_VALUES = names(
    "-A -C -e -h -m -P -Q -r -t -u -U -w -x -X -y -Y -z --user-agent --referer --max-time --user "
    "--proxy --request --write-out --connect-timeout --retry --retry-delay --limit-rate --resolve "
    "--interface --data-raw --url --range --proxy-user --max-redirs --ciphers --form-string "
    "--http-proxy --noproxy --oauth2-bearer --aws-sigv4"
)
TAR_VALUES = names(
    "-b -F -H -I -K -L -N -V --blocking-factor --exclude --format --owner --group --mode --mtime "
    "--strip-components --transform --use-compress-program --label --newer --record-size --checkpoint "
    "--checkpoint-action --to-command"
)
TAR_READS = names("-T -X --files-from --exclude-from")
