//! The command `absolve`, for programs that contain it.

mod args;
mod commands;
mod inputs;
mod interrupted;
mod json;
mod messages;
mod outcome;
#[doc(hidden)]
pub mod packaging;
mod progress;
mod recorded;
mod streams;
mod threads;
mod wording;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;

use absolve_files::shown;
use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue};

use args::{Arguments, Command};
use commands::{base, check, links, pack, resolve, revert, rewrite, unpack, verify};
use outcome::{Outcome, Stop};
use recorded::Typed;
pub use streams::Streams;
#[doc(hidden)]
pub use wording::refusal;

/// Runs the command, with the arguments that it was called with; the first is its name.
///
/// Returns its exit status: 0 done, 1 something failed or was found, 2 usage error.
///
/// ```
/// assert_eq!(absolve::run(["absolve".into(), "resolve".into(), "--bse".into()]), 2);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(arguments, &Streams::of_process())
}

/// Does the same as the process `absolve`: if it is interrupted, it says what was done and how to go on.
pub fn run_process(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let streams = Streams::of_process();
    interrupted::watch(&streams.interrupted);
    run_with(arguments, &streams)
}

/// Does the same as [`run`], and prints to these streams.
///
/// ```
/// use absolve::{Streams, run_with};
/// let (mut output, mut errors) = (Vec::new(), Vec::new());
/// let arguments = ["absolve", "resolve", "--base", "http://a/b", "c"].map(Into::into);
/// assert_eq!(run_with(arguments, &Streams::to(&mut output, &mut errors)), 0);
/// assert_eq!(output, b"http://a/c\n");
/// ```
pub fn run_with(arguments: impl IntoIterator<Item = OsString>, streams: &Streams<'_>) -> u8 {
    let typed: Vec<OsString> = arguments.into_iter().collect();
    let parsed = args::command().try_get_matches_from(&typed).and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((matches, arguments))
    });
    let (matches, arguments) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refused(&with_tip(error), &typed, streams),
    };
    // A command without this option starts no threads.
    let jobs = matches.subcommand().and_then(|(_, given)| given.try_get_one::<u16>("jobs").ok());
    let command = || match arguments.command {
        Command::Rewrite(arguments) => {
            let options = matches.subcommand_matches("rewrite").map(recorded::options_of).unwrap_or_default();
            rewrite::run(arguments, &Typed { line: &typed, options }, streams)
        }
        Command::Check(arguments) => check::run(&arguments, &typed, streams),
        Command::Links(arguments) => links::run(&arguments, streams),
        Command::Base(arguments) => base::run(&arguments, streams),
        Command::Verify(arguments) => verify::run(&arguments, &typed, streams),
        Command::Resolve(arguments) => resolve::run(&arguments, streams),
        Command::Revert(arguments) => revert::run(&arguments, streams),
        Command::Pack(arguments) => pack::run(&arguments, streams),
        Command::Unpack(arguments) => unpack::run(&arguments, streams),
    };
    let outcome = match jobs {
        Some(jobs) => threads::with(jobs.copied(), command),
        None => command(),
    };
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Failed) => 1,
        Ok(Outcome::MissingInput) => 2,
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(stop) => {
            streams.fail(&stop.to_string());
            if matches!(stop, Stop::Failed(_)) { 1 } else { 2 }
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
fn refused(error: &clap::Error, typed: &[OsString], streams: &Streams<'_>) -> u8 {
    let is_plain = |typed: &OsString| matches!(shown(&typed.to_string_lossy()), Cow::Borrowed(_));
    let text = error.render();
    // All errors begin with the name of the program, whoever finds them.
    let named = |text: String| text.replacen("error:", "absolve:", 1);
    match error.use_stderr() {
        false => streams.output.print(&text.ansi().to_string()),
        true if typed.iter().all(is_plain) => streams.errors.print(&named(text.ansi().to_string())),
        true => named(text.to_string()).lines().for_each(|line| streams.warn(line)),
    }
    if error.use_stderr() { 2 } else { 0 }
}
