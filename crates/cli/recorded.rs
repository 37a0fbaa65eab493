//! Options recorded by `rewrite --summary`, for `verify --like`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use serde_json::Value;

use crate::args::verify::VerifyArguments;
use crate::args::{self, Arguments};
use crate::outcome::{Stop, usage_error};

/// What was typed for a run, as its summary and its journal record it.
#[derive(Debug)]
pub(crate) struct Typed<'t> {
    /// All arguments; the first is the name of the command.
    pub(crate) line: &'t [OsString],
    /// The options that `verify` has as well.
    pub(crate) options: Vec<String>,
}

/// Options of `verify` that do not affect the output of `rewrite`.
const OTHERS: [&str; 5] = ["jobs", "json", "quiet", "report", "force"];

/// Returns the given options of `absolve rewrite` that `absolve verify` has as well, as arguments.
pub(crate) fn options_of(rewrite: &ArgMatches) -> Vec<String> {
    let verify = VerifyArguments::augment_args(Command::new("verify"));
    let is_given = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        let is_known = rewrite.try_contains_id(id).is_ok() && !OTHERS.contains(&id);
        is_known && rewrite.value_source(id) == Some(ValueSource::CommandLine)
    };
    let typed = |argument: &Arg| -> Vec<String> {
        let (id, name) = (argument.get_id().as_str(), argument.get_long().unwrap_or_default());
        let values = rewrite.get_raw(id).into_iter().flatten();
        match argument.get_action().takes_values() {
            true => values.map(|value| format!("--{name}={}", value.to_string_lossy())).collect(),
            false => vec![format!("--{name}")],
        }
    };
    verify.get_arguments().filter(is_given).flat_map(typed).collect()
}

/// Returns the arguments of `absolve verify` with the options recorded in a summary, which those that were typed override, and the
/// files that the run wrote besides its output.
pub(crate) fn like(summary: &Path, typed: &[OsString]) -> Result<(Arguments, Vec<PathBuf>), Stop> {
    let read = fs::read(summary).map_err(|error| error.to_string());
    let recorded = read.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()));
    let recorded: Value =
        recorded.or_else(|error| usage_error(format!("cannot read {}: {error}", summary.display())))?;
    let Some(options) = recorded["options"].as_array() else {
        return usage_error(format!("{} records no options; rewrite --summary writes them", summary.display()));
    };
    let written = recorded["report"].as_str().map(PathBuf::from).into_iter().chain([summary.to_owned()]).collect();
    let given = args::command().try_get_matches_from(typed).ok();
    let given = given.as_ref().and_then(|matches| matches.subcommand_matches("verify"));
    let options = options.iter().filter_map(Value::as_str).filter(|option| !is_given(given, option));
    let (command, rest) = typed.split_at(2.min(typed.len()));
    let all = command.iter().cloned().chain(options.map(OsString::from)).chain(rest.iter().cloned());
    let parsed = args::command().try_get_matches_from(all);
    let parsed = parsed.and_then(|matches| clap::FromArgMatches::from_arg_matches(&matches));
    // What is recorded must neither print the help nor pass for a check that holds.
    parsed.map(|arguments| (arguments, written)).or_else(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        usage_error(format!("with the options that {} records: {first}", summary.display()))
    })
}

/// Reports whether an option of a run was typed for `verify` as well.
fn is_given(verify: Option<&ArgMatches>, option: &str) -> bool {
    let name = option.trim_start_matches("--").split('=').next();
    let known = VerifyArguments::augment_args(Command::new("verify"));
    let argument = known.get_arguments().find(|argument| argument.get_long() == name);
    let source = verify.zip(argument).and_then(|(verify, argument)| verify.value_source(argument.get_id().as_str()));
    source == Some(ValueSource::CommandLine)
}
