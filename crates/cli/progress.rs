//! The progress bar.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::rewrite::{MessageArguments, ProgressArgument};

/// A bar over `bytes` on standard error, hidden unless it is wanted.
pub(crate) fn bar(arguments: &MessageArguments, bytes: u64) -> ProgressBar {
    let is_shown = match arguments.progress {
        ProgressArgument::Auto => io::stderr().is_terminal() && !arguments.quiet,
        ProgressArgument::Always => true,
        ProgressArgument::Never => false,
    };
    let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
    if is_shown {
        let template = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well-formed"));
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    }
    bar
}
