//! Nobody can read in the output who cannot read in its source, at no moment; folders keep their times.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::support::{Outcome, argument, folder_with, run};

const FOLDERS: [(&str, u32); 5] =
    [("in", 0o700), ("in/shared", 0o750), ("in/shared/deep", 0o711), ("in/closed", 0o500), ("other", 0o755)];

fn mode(path: &Path) -> io::Result<u32> {
    Ok(fs::symlink_metadata(path)?.permissions().mode() & 0o7777)
}

fn time(number: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000 + number, 123_456_789)
}

/// Folders with pages in them, with modes and times of their own.
fn tree() -> io::Result<tempfile::TempDir> {
    let folder = folder_with(&[])?;
    for (name, _) in FOLDERS {
        let path = folder.path().join(name);
        fs::create_dir(&path)?;
        for number in 0..40 {
            fs::write(path.join(format!("{number}.html")), "<a href=x>\n".repeat(200))?;
        }
    }
    for (number, (name, mode)) in FOLDERS.into_iter().enumerate() {
        let path = folder.path().join(name);
        fs::File::open(&path)?.set_modified(time(number as u64))?;
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
    }
    Ok(folder)
}

/// Lets who is not root remove the folder that is closed.
fn open_up(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder.join("closed"), Permissions::from_mode(0o700))
}

/// Runs the program with no mask for modes, and looks at the output again and again.
fn watched(arguments: &[&str], look: &dyn Fn() -> io::Result<()>) -> io::Result<bool> {
    let mut command = Command::new("sh");
    command.args(["-c", "umask 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_absolve")]).args(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    loop {
        match look() {
            // It was renamed or removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            looked => looked?,
        }
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
    }
}

/// Asserts that no folder may be read by more than its source; files keep their modes from their first byte on.
fn look_at(output: &Path, source: &Path) -> io::Result<()> {
    for (name, _) in FOLDERS.iter().filter(|(name, _)| name.starts_with("in")) {
        let below = Path::new(name).strip_prefix("in").unwrap_or(Path::new(""));
        let (folder, source) = (output.join(below), source.join(below));
        // Until something is put into it, what was there before may be as it was.
        let is_empty = fs::read_dir(&folder).is_ok_and(|mut names| names.next().is_none());
        if let (false, Ok(found)) = (is_empty, mode(&folder)) {
            let more = found & !(mode(&source)? | 0o700);
            assert_eq!(more, 0, "{} has the mode {found:o}", folder.display());
        }
    }
    for name in ["0.html", "shared/39.html"] {
        if let Ok(found) = mode(&output.join(name)) {
            assert_eq!(found & !mode(&source.join(name))?, 0, "{name} has the mode {found:o}");
        }
    }
    Ok(())
}

/// The output folder is private while it is filled, too.
#[test]
fn a_private_tree_stays_private() -> Outcome {
    let folder = tree()?;
    let path = |name: &str| folder.path().join(name);
    let (input, partial, request) = (path("in"), path("out.partial"), path("out.partial.request"));
    for flags in [&[][..], &["--only-changed"], &["--force"]] {
        let output = path("out");
        if flags == ["--force"] {
            fs::create_dir_all(output.join("shared"))?;
            fs::set_permissions(output.join("shared"), Permissions::from_mode(0o777))?;
            fs::set_permissions(&output, Permissions::from_mode(0o700))?;
        }
        let common = ["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"];
        let is_done = watched(&[&common[..], flags].concat(), &|| {
            look_at(&partial, &input)?;
            look_at(&output, &input)?;
            assert_eq!(mode(&request)?, 0o600);
            Ok(())
        })?;
        assert!(is_done, "{flags:?}");
        for (number, (name, expected)) in FOLDERS.iter().enumerate().take(4) {
            let made = path(&name.replacen("in", "out", 1));
            assert_eq!(mode(&made)?, *expected, "{flags:?}: {name}");
            assert_eq!(fs::metadata(&made)?.modified()?, time(number as u64), "{flags:?}: {name}");
        }
        open_up(&output)?;
        fs::remove_dir_all(&output)?;
    }
    open_up(&input)?;
    Ok(())
}

/// Of several folders, the output allows what all of them allow.
#[test]
fn a_private_folder_beside_others_stays_private() -> Outcome {
    let folder = tree()?;
    let path = |name: &str| folder.path().join(name);
    let (one, two, output) = (path("in"), path("other"), path("out"));
    let (status, _, told) = run(&["rewrite", argument(&one), argument(&two), "-o", argument(&output)])?;
    assert!(status == 1 && told.contains("no base is known"), "{told}");
    assert_eq!((mode(&output)?, mode(&output.join("in"))?, mode(&output.join("other"))?), (0o700, 0o700, 0o755));
    assert_eq!(fs::metadata(output.join("other"))?.modified()?, time(4));
    [one, output.join("in")].iter().try_for_each(|folder| open_up(folder))?;
    Ok(())
}

/// A journal holds bytes of the files that it is about.
#[test]
fn a_journal_is_readable_by_its_owner_only() -> Outcome {
    let folder = tree()?;
    let (input, journal) = (folder.path().join("in"), folder.path().join("journal"));
    open_up(&input)?;
    let arguments = ["rewrite", argument(&input), "--in-place", "--journal", argument(&journal), "--url", "http://h/"];
    let is_done = watched(&arguments, &|| {
        assert_eq!(mode(&journal)?, 0o600);
        Ok(())
    })?;
    assert!(is_done && mode(&journal)? == 0o600);
    Ok(())
}
