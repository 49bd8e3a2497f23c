//! The `endpaper` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    endpaper::cli::main()
}
