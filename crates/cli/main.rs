//! `absolve` makes every relative link of a body of documents absolute, and changes no other byte.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    absolve::run_process(env::args_os()).into()
}
