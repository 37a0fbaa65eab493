//! `absolve` makes every relative link of a body of documents absolute, and changes no other byte.

mod args;
mod base;
mod beside;
mod input_args;
mod inputs;
mod inspect;
mod json;
mod links;
mod option_args;
mod output;
mod pack;
mod pack_args;
mod progress;
mod recorded;
mod report;
mod resolve;
mod revert;
mod rewrite;
mod told;
mod trail;
mod trail_args;
mod verify;
mod verify_files;

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use absolve_files::shown;
use clap::{CommandFactory, FromArgMatches};

use args::{Arguments, Command};
use report::warn;

/// How a command ended, but for errors that end it early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything was done.
    Done,
    /// A document could not be read or written, or something was found that was asked about.
    Failed,
}

/// Why a command could not go on.
#[derive(Debug)]
enum Stop {
    /// It was asked for something that cannot be.
    WrongUse(String),
    /// The recorded options are not those of this version.
    Arguments(clap::Error),
    /// The reader of the output is gone.
    Io(io::Error),
}

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
        Command::Check(arguments) => links::check(&arguments),
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
        Err(Stop::Arguments(error)) => refused(&error),
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Io(error)) => {
            warn(&format!("absolve: {error}"));
            ExitCode::from(2)
        }
        Err(Stop::WrongUse(message)) => {
            warn(&format!("absolve: {message}"));
            ExitCode::from(2)
        }
    }
}

/// Tells what clap tells, but without what was typed for a terminal to carry out.
fn refused(error: &clap::Error) -> ExitCode {
    let is_plain = |typed: OsString| matches!(shown(&typed.to_string_lossy()), Cow::Borrowed(_));
    if !error.use_stderr() || env::args_os().all(is_plain) {
        let _ = error.print();
    } else {
        error.render().to_string().lines().for_each(warn);
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The arguments cannot be what was meant.
fn usage_error<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::WrongUse(message.into()))
}
