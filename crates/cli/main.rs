//! `absolve` makes every relative link of a body of documents absolute, and changes no other byte.

mod args;
mod commands;
mod inputs;
mod json;
mod messages;
mod outcome;
mod progress;
mod recorded;

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use absolve_files::shown;
use clap::{CommandFactory, FromArgMatches};

use args::{Arguments, Command};
use commands::{base, check, links, pack, resolve, revert, rewrite, verify};
use messages::warn;
use outcome::{Outcome, Stop};

fn main() -> ExitCode {
    let parsed = Arguments::command().try_get_matches().and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((matches, arguments))
    });
    let (matches, arguments) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refused(&error),
    };
    let outcome = match arguments.command {
        Command::Rewrite(arguments) => {
            let options = matches.subcommand_matches("rewrite").map(recorded::options_of);
            rewrite::run(arguments, options.unwrap_or_default())
        }
        Command::Check(arguments) => check::run(&arguments),
        Command::Links(arguments) => links::run(&arguments),
        Command::Base(arguments) => base::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Resolve(arguments) => resolve::run(&arguments),
        Command::Revert(arguments) => revert::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Io(error)) => {
            warn(&format!("absolve: {error}"));
            ExitCode::from(2)
        }
        Err(Stop::Usage(message)) => {
            warn(&format!("absolve: {message}"));
            ExitCode::from(2)
        }
    }
}

/// Prints help, or an error of the arguments. What was typed is escaped, so that a terminal does not execute it.
fn refused(error: &clap::Error) -> ExitCode {
    let is_plain = |typed: OsString| matches!(shown(&typed.to_string_lossy()), Cow::Borrowed(_));
    if !error.use_stderr() || env::args_os().all(is_plain) {
        let _ = error.print();
    } else {
        error.render().to_string().lines().for_each(warn);
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
