//! `absolve check`: the links that are relative.

use std::io::Write;

use absolve_rewriter::Status;

use crate::args::ListArguments;
use crate::links::{for_each_link, place};
use crate::report::{count, warn};
use crate::{Outcome, Stop, json};

pub(crate) fn run(arguments: &ListArguments) -> Result<Outcome, Stop> {
    let mut relative = 0;
    let outcome = for_each_link(arguments, &mut |out, path, link| {
        if !matches!(link.status, Status::Relative | Status::Unresolved(_)) {
            return Ok(());
        }
        relative += 1;
        if arguments.quiet {
            Ok(())
        } else if arguments.json {
            writeln!(out, "{}", json::link(path, link))
        } else {
            writeln!(out, "{}:{}: {}: {}", path.display(), link.line, place(link), link.reference)
        }
    })?;
    if relative > 0 && !arguments.quiet {
        warn(&format!("{} relative", count(relative, "link")));
    }
    Ok(if relative > 0 { Outcome::Failed } else { outcome })
}
