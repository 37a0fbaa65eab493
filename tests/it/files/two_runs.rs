//! Two runs do not fill one folder.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::trees::snapshot;
use crate::support::{Outcome, argument, folder_with, run};

/// A run that has begun to fill its folder, and that cannot end before what it writes on standard error is read.
fn begun(arguments: &[&str], partial: &Path) -> std::io::Result<Child> {
    let child = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let start = Instant::now();
    while !partial.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not begin");
        sleep(Duration::from_millis(1));
    }
    Ok(child)
}

/// The second one would continue the work of the first one, and both would write the same files.
#[test]
fn a_second_run_does_not_fill_the_same_folder() -> Outcome {
    // A line on standard error for each file, together more than a pipe holds.
    let names: Vec<String> = (0..400).map(|number| format!("in/{number:0>150}.html")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "<base href=http://[><a href=x>")).collect();
    let folder = folder_with(&files)?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, whole) = (path("in"), path("out"), path("whole"));
    let (partial, request) = (path("out.partial"), path("out.partial.request"));
    let to = |output| ["rewrite", argument(&input), "-o", argument(output), "--url", "http://h/", "--jobs", "1", "-v"];
    let resumed = [&to(&output)[..], &["--resume"]].concat();
    assert_eq!(run(&to(&whole))?.0, 0);

    let mut first = begun(&to(&output), &partial)?;
    for arguments in [&to(&output)[..], &resumed] {
        let (status, _, told) = run(arguments)?;
        assert!(status == 2 && told.contains("another run is writing") && told.contains("out.partial"), "{told}");
    }
    assert!(first.try_wait()?.is_none(), "the first run ended too early for this test");
    assert!(first.wait_with_output()?.status.success(), "the first run was disturbed");
    assert!(snapshot(&output)? == snapshot(&whole)? && !request.exists());
    let (status, _, told) = run(&to(&output))?;
    assert!(status == 2 && told.contains("exists; --force writes into it"), "{told}");
    fs::remove_dir_all(&output)?;

    // The lock of a run that is killed is gone with it.
    let mut killed = begun(&to(&output), &partial)?;
    killed.kill()?;
    killed.wait()?;
    let (status, _, told) = run(&to(&output))?;
    assert!(status == 2 && told.contains("--resume continues it"), "{told}");
    let (status, _, told) = run(&resumed)?;
    assert_eq!(status, 0, "{told}");
    assert!(snapshot(&output)? == snapshot(&whole)? && !request.exists());
    Ok(())
}

/// The note of a request never takes the place of a file of somebody else.
#[test]
fn a_file_with_the_name_of_the_note_stays() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("out.partial.request", "mine")])?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, note) = (path("in"), path("out"), path("out.partial.request"));
    let before = fs::metadata(&note)?.ino();
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 2 && told.contains("out.partial.request"), "{told}");
    assert_eq!((fs::read_to_string(&note)?, fs::metadata(&note)?.ino()), ("mine".to_owned(), before));
    assert!(!output.exists() && !path("out.partial").exists());
    Ok(())
}

/// A mixture of what both write would be left.
#[test]
fn a_second_run_does_not_write_into_a_folder_in_use() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("out/b.html", "")])?;
    let path = |name: &str| folder.path().join(name);
    let (input, output) = (path("in"), path("out"));
    let arguments = ["rewrite", argument(&input), "-o", argument(&output), "--force", "--url", "http://h/"];
    let first = fs::File::open(&output)?;
    first.lock()?;
    let (status, _, told) = run(&arguments)?;
    assert!(status == 2 && told.contains("another run is writing into") && !output.join("a.html").exists(), "{told}");
    drop(first);
    assert_eq!(run(&arguments)?.0, 0);
    Ok(())
}
