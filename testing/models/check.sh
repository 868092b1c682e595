#!/usr/bin/env bash
# Holds the models against Spin: the design must hold in every state, and without any one of its safeguards it must fail.
# Needs spin and gcc. Usage: check.sh [FAULTS]
set -euo pipefail
cd "$(dirname "$0")"
model=$PWD/claim-to-post.pml
faults=${1:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run DEFINES…: prints "holds" or "fails", and how many states it looked at; anything else is no verdict.
run() {
    local here
    here=$(mktemp -d "$work/XXXXXX")
    cd "$here"
    spin -a "$@" "$model" > spin.log
    gcc -O1 -w -DSAFETY -DCOLLAPSE -DMEMLIM=2048 -o pan pan.c
    timeout 300 ./pan -m100000 -w24 > pan.log || true
    if ! grep -q '^State-vector' pan.log || grep -qE 'max search depth too small|out of memory|memory limit' pan.log; then
        cat pan.log >&2
        echo "no verdict: spin $*" >&2
        exit 2
    fi
    why=
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
    if grep -q 'errors: 0' pan.log && ! grep -q 'Search not completed' pan.log; then
        verdict=holds
    elif grep -q 'errors: [1-9]' pan.log; then
        verdict=fails
        why=$(sed -n 's/^pan:1: //p' pan.log)
    else
        cat pan.log >&2
        echo "no verdict: spin $*" >&2
        exit 2
    fi
    cd - > /dev/null
}

run "-DFAULTS=$faults"
echo "claim-to-post, any $faults faults: $verdict ($states states)"
[ "$verdict" = holds ] || { echo "$why"; exit 1; }
for safeguard in UNIQUE ACKS_FIRST WRITE_BEFORE_OFFSET GATE WRITE_AHEAD FENCING; do
    # Most need one fault to show; a small search finds it sooner.
    for some in 1 "$faults"; do
        run "-DFAULTS=$some" "-DWITHOUT_$safeguard"
        [ "$verdict" = holds ] || break
    done
    echo "  without $safeguard: $verdict (${why:-$states states})"
    [ "$verdict" = fails ] || { echo "the model does not need $safeguard: it proves nothing about it" >&2; exit 1; }
done
