#!/usr/bin/env bash
# Everything CI checks beyond `cargo test`, one line per step; a step's output is shown only when it fails.
#
#   ci/check.sh                  all steps below, in this order
#   ci/check.sh fmt clippy       only these
#   ci/check.sh bench            not part of the default: it needs a quiet machine
set -euo pipefail
cd "$(dirname "$0")/.."

# The versions that were tried with the toolchain of this project.
CARGO_INSTA=1.49.0
CARGO_DENY=0.20.2

# Each step is a function. `set -e` sleeps inside them, as their failure is looked at: chain with &&.
STEPS=(scripts fmt clippy snapshots doc deny build smoke oracle replay hosts live)
CASES=../shared/cases/open
TARGET=${CARGO_TARGET_DIR:-target}
export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

# Installs a cargo subcommand into cargo's own folder, where it stays for the next run.
need() {
    command -v "cargo-$1" >/dev/null || CARGO_TARGET_DIR="$TARGET/tools" cargo install "cargo-$1" --version "$2" --locked
}

scripts() { python3 ci/selftest.py; }
# cargo fmt does not see the modules that a macro declares.
fmt() { cargo fmt --check -- --color never && rustfmt --check --edition 2024 --color never src/check/code/*.rs; }
clippy() { cargo clippy --locked --all-targets -- -D warnings; }
snapshots() {
    need insta "$CARGO_INSTA" &&
        cargo insta test --check --unreferenced=reject --test-runner cargo-test
}
doc() { RUSTDOCFLAGS=-Dwarnings cargo doc --locked --no-deps; }
deny() {
    need deny "$CARGO_DENY" &&
        cargo deny --config ci/deny.toml check bans licenses sources
}
build() { cargo build --locked --release; }
# Without a target the demonstration server of toolsurface.toml is started and audited; its gate never fails.
smoke() {
    local shown
    shown=$("$TARGET/release/toolsurface" audit) || { echo "$shown" && return 1; }
    echo "$shown"
    grep -q o200k <<<"$shown" || { echo "smoke: no figures in the output" && return 1; }
}
oracle() { ci/oracle; }
replay() { ci/replay --built "$CASES"; }
hosts() { ci/hosts; }
live() { ci/live; }
bench() { ci/bench/run && ci/bench/overhead; }

mkdir -p "$TARGET/ci"
for step in "${@:-${STEPS[@]}}"; do
    case " ${STEPS[*]} bench " in
        *" $step "*) ;;
        *) echo "no such step: $step (steps: ${STEPS[*]} bench)" >&2; exit 2 ;;
    esac
    if [[ $step =~ ^(oracle|replay|hosts)$ && ! -d ../shared ]]; then
        printf '%-10s skipped  NOT checked: ../shared is absent\n' "$step"
        continue
    fi
    log=$TARGET/ci/$step.log
    began=$SECONDS
    code=0
    "$step" >"$log" 2>&1 </dev/null || code=$?
    if ((code)); then
        printf '%-10s FAILED %5d s\n' "$step" $((SECONDS - began))
        cat "$log"
        exit 1
    fi
    # What the scripts count stands in their last line.
    said=
    [[ $step =~ ^(oracle|replay|hosts|live)$ ]] && said=$(tail -n 1 "$log")
    printf '%-10s ok     %5d s  %s\n' "$step" $((SECONDS - began)) "$said"
done
