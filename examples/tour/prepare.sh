#!/bin/sh
# Copies the project into work/, as a repository of its own with a Python that has pytest, so that the
# tour always starts from the same state and leaves this one as it was.
set -eu
cd "$(dirname "$0")"

python=${SWARM_PYTHON:-python3}
"$python" -c 'import pytest' 2>/dev/null || {
    echo "The tour runs the project's tests, and $python has no pytest." >&2
    echo "Start the tour with scripts/swarm, or set SWARM_PYTHON to a Python that has pytest." >&2
    exit 1
}

for old in work/* work/.git work/.gitignore work/.venv; do
    rm -rf "$old"
done
cp -R project/. work/
printf '.venv/\n.keep\n__pycache__/\n.pytest_cache/\n' >work/.gitignore

"$python" -m venv --without-pip work/.venv
libraries=$("$python" -c 'import pathlib, pytest; print(pathlib.Path(pytest.__file__).parent.parent)')
for site in work/.venv/lib/python*/site-packages; do
    echo "$libraries" >"$site/libraries.pth"
done

git init --quiet --initial-branch=main work
git -C work config user.name "The tour"
git -C work config user.email "tour@example.invalid"
git -C work config commit.gpgsign false
git -C work add --all
git -C work commit --quiet --message "The shop as the tour finds it"
echo "work/ holds a fresh copy of the project."
