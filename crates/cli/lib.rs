//! The command `absolve`, for programs that contain it.

mod args;
mod commands;
mod inputs;
mod json;
mod messages;
mod outcome;
mod progress;
mod recorded;
mod spreadsheet;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;

use absolve_files::shown;
use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue};

use args::{Arguments, Command};
use commands::{base, check, generate, links, pack, resolve, revert, rewrite, unpack, verify};
use messages::{fail, warn};
use outcome::{Outcome, Stop};
use recorded::Typed;

/// Runs the command, with the arguments that it was called with; the first is its name.
///
/// Returns its exit status: 0 done, 1 something failed or was found, 2 usage error.
///
/// ```
/// assert_eq!(absolve::run(["absolve".into(), "resolve".into(), "--bse".into()]), 2);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let typed: Vec<OsString> = arguments.into_iter().collect();
    let parsed = args::command().try_get_matches_from(&typed).and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((matches, arguments))
    });
    let (matches, arguments) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refused(&with_tip(error), &typed),
    };
    let outcome = match arguments.command {
        Command::Rewrite(arguments) => {
            let options = matches.subcommand_matches("rewrite").map(recorded::options_of).unwrap_or_default();
            rewrite::run(arguments, &Typed { line: &typed, options })
        }
        Command::Check(arguments) => check::run(&arguments, &typed),
        Command::Links(arguments) => links::run(&arguments),
        Command::Base(arguments) => base::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments, &typed),
        Command::Resolve(arguments) => resolve::run(&arguments),
        Command::Revert(arguments) => revert::run(&arguments),
        Command::Pack(arguments) => pack::run(&arguments),
        Command::Unpack(arguments) => unpack::run(&arguments),
        Command::Completions(arguments) => generate::completions(&arguments),
        Command::Man(arguments) => generate::man(&arguments),
    };
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Failed) => 1,
        Ok(Outcome::MissingInput) => 2,
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Stop::Io(error)) => {
            fail(&error.to_string());
            2
        }
        Err(Stop::Usage(message)) => {
            fail(&message);
            2
        }
    }
}

/// Adds the option that was meant where a URL was given for `--base-element`, whose short form is `--base`.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let holds = |kind, text| matches!(error.get(kind), Some(ContextValue::String(found)) if found.contains(text));
    if holds(ContextKind::InvalidArg, "--base-element") && holds(ContextKind::InvalidValue, "/") {
        let tip = "the URL of a document is given by --url URL".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Prints help, or an error of the arguments. What was typed is escaped, so that a terminal does not execute it.
fn refused(error: &clap::Error, typed: &[OsString]) -> u8 {
    let is_plain = |typed: &OsString| matches!(shown(&typed.to_string_lossy()), Cow::Borrowed(_));
    if !error.use_stderr() || typed.iter().all(is_plain) {
        let _ = error.print();
    } else {
        error.render().to_string().lines().for_each(warn);
    }
    if error.use_stderr() { 2 } else { 0 }
}
