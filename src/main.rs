//! Parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(toolsurface::cli::run(std::env::args_os()).code())
}
