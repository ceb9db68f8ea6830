#!/bin/sh
# Copies the project into work/shop, as a repository of its own with a Python that has pytest, so that the
# tour always starts from the same state and leaves this one as it was.
set -eu
cd "$(dirname "$0")"

python=${SWARM_PYTHON:-python3}
"$python" -c 'import pytest' 2>/dev/null || {
    echo "The tour runs the project's tests, and $python has no pytest." >&2
    echo "Start the tour with scripts/swarm, or set SWARM_PYTHON to a Python that has pytest." >&2
    exit 1
}

rm -rf work/shop
mkdir -p work
cp -R project work/shop
printf '.venv/\n__pycache__/\n.pytest_cache/\n' >work/shop/.gitignore

"$python" -m venv --without-pip work/shop/.venv
libraries=$("$python" -c 'import pathlib, pytest; print(pathlib.Path(pytest.__file__).parent.parent)')
for site in work/shop/.venv/lib/python*/site-packages; do
    echo "$libraries" >"$site/libraries.pth"
done

git init --quiet --initial-branch=main work/shop
git -C work/shop config user.name "The tour"
git -C work/shop config user.email "tour@example.invalid"
git -C work/shop config commit.gpgsign false
git -C work/shop add --all
git -C work/shop commit --quiet --message "The shop as the tour finds it"
echo "work/shop is a fresh copy of the project."
