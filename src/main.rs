//! The `endpaper` program: arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser;
use endpaper::cli::{Cli, run};

fn main() -> ExitCode {
    run(Cli::parse())
}
