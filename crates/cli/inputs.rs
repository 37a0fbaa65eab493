//! Finds the entries of the inputs.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use absolve_containers::FileType;
use absolve_files::{
    Collection, Column, Entry, EntryKind, Given, Globs, Selection, Symlinks, UrlList, UrlTable, collect,
    collect_reader, folder_url, is_bundle_name, read_urls,
};
use absolve_rewriter::internal::{is_page_url, retrieval_url, url_below, without_login};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::settings::{FolderUrl, LocalFiles, Rules};
use absolve_rewriter::{Code, DocumentType, Finding, Options, Purpose};

use crate::args::input::InputArguments;
use crate::args::options::OptionArguments;
use crate::outcome::{Stop, usage_error};
use crate::progress::{self, Shown};
use crate::wording::{file_error, refusal};

/// Finds the entries, and completes the options that depend on them.
pub(crate) fn open(
    arguments: &InputArguments,
    option_arguments: &OptionArguments,
    options: &mut Options,
    shown: Shown,
) -> Result<Collection, Stop> {
    option_arguments.urls.set(options)?;
    let collection = entries(arguments, options.purpose, shown)?;
    if options.images_url.is_some() && arguments.inputs.iter().any(|input| is_tree(input, &collection)) {
        options.images_of = Some(folder_of_images(arguments)?);
    }
    if option_arguments.keep_local {
        keep_local(options, arguments, &collection)?;
    }
    Ok(collection)
}

/// Returns the entries of the inputs, with their URLs.
pub(crate) fn entries(arguments: &InputArguments, purpose: Purpose, shown: Shown) -> Result<Collection, Stop> {
    let urls = match &arguments.source.urls {
        Some(file) => {
            let read = File::open(file).and_then(|opened| read_urls(BufReader::new(opened)));
            read.or_else(|error| usage_error(format!("{}: {error}", file.display())))?
        }
        None => UrlTable::default(),
    };
    let mut collection = collect_all(arguments, &urls, purpose, shown)?;
    if let Some(file) = &arguments.source.urls {
        note_urls(&urls, file, &mut collection);
    }
    let is_damaged = |entry: &Entry| entry.kind == EntryKind::Damaged;
    if let (true, Some(error)) = (collection.entries.iter().all(is_damaged), collection.errors.first()) {
        return usage_error(file_error(error));
    }
    check_layout(arguments, &collection)?;
    check_symlinks(arguments, &collection)?;
    Ok(collection)
}

/// Refuses a layout without a scheme, unless URLs are known from elsewhere.
fn check_layout(arguments: &InputArguments, collection: &Collection) -> Result<(), Stop> {
    let is_given = arguments.source.url.is_some() || arguments.source.scheme.is_some();
    let is_known = || collection.entries.iter().any(|entry| entry.retrieval().is_some());
    if arguments.source.names_tool() && !is_given && !is_known() {
        return usage_error("the folders of a mirror do not contain its scheme; add --scheme http or --scheme https");
    }
    Ok(())
}

/// Refuses to follow links in an archive, which would become larger than what was packed.
fn check_symlinks(arguments: &InputArguments, collection: &Collection) -> Result<(), Stop> {
    let archive = collection.entries.iter().find(|entry| matches!(entry.kind, EntryKind::Bundle(_)));
    match (archive, Given::CopiedLinks.to(Column::Member)) {
        (Some(archive), Err(why)) if arguments.source.symlinks == Symlinks::Copy => {
            usage_error(format!("{}: {}", archive.source.display(), refusal(&why)))
        }
        _ => Ok(()),
    }
}

/// Adds findings about rows of `--urls` that are not used.
fn note_urls(urls: &UrlTable, file: &Path, collection: &mut Collection) {
    let mut note = |path: &Path, message: String| {
        collection.findings.push((path.to_owned(), Finding::new(Code::UrlNotUsed, message)));
    };
    for path in &urls.contradicted {
        note(Path::new(path), format!("{} gives two URLs for it; neither is used", file.display()));
    }
    for (path, url) in &urls.unfit {
        let url = without_login(url);
        note(Path::new(path), format!("{} gives {url:?} for it; only http and https URLs are used", file.display()));
    }
    let is_known = |entry: &&Entry| entry.retrieval().is_some_and(|retrieval| retrieval.source.is_listed());
    let known = collection.entries.iter().filter(is_known).count();
    let is_file = |path: &&String| urls.list != UrlList::Unpacked || !path.contains('?');
    let unknown = urls.by_path.keys().filter(is_file).count().saturating_sub(known);
    if unknown > 0 {
        let finding = Finding::new(Code::UrlNotUsed, format!("{unknown} of its rows name no file of the input"));
        collection.findings.push((file.to_owned(), finding));
    }
}

/// Returns the entries of all inputs. If there are several, the name of each becomes the first folder of its paths.
fn collect_all(
    arguments: &InputArguments,
    urls: &UrlTable,
    purpose: Purpose,
    shown: Shown,
) -> Result<Collection, Stop> {
    let mut selection = selection(arguments, urls)?;
    selection.purpose = purpose;
    let is_standard_input = |input: &PathBuf| input == Path::new("-");
    let is_one = arguments.inputs.len() == 1;
    if arguments.inputs.iter().any(is_standard_input) {
        return if is_one {
            standard_input(&selection, shown)
        } else {
            usage_error("standard input cannot be combined with other inputs")
        };
    }
    if !is_one && (arguments.source.url.is_some() || arguments.source.urls.is_some()) {
        return usage_error(
            "--url names the URL of one input, and --urls those of its files; run several inputs one by one",
        );
    }
    if let Some(url) = arguments.inputs.iter().find(|input| !input.exists() && is_page_url(&input.to_string_lossy())) {
        let url = url.display();
        return usage_error(format!(
            "{url} is a URL, and absolve fetches nothing: save the page (wget {url}), and give the file with --url {url}"
        ));
    }
    let mut all = Collection::default();
    let mut unmatched = None::<Vec<String>>;
    for input in &arguments.inputs {
        let collection = collect(input, &selection);
        let of_input = unmatched_globs(&selection, &collection);
        let Collection { mut entries, findings, indexes, deliveries, errors } = collection;
        if !is_one {
            entries.iter_mut().for_each(Entry::close);
        }
        unmatched = Some(match unmatched {
            None => of_input,
            Some(before) => before.into_iter().filter(|glob| of_input.contains(glob)).collect(),
        });
        if input.is_dir() && !is_one {
            let name = name_of(input);
            all.entries.extend(Entry::folder(input, &name));
            entries.iter_mut().for_each(|entry| entry.path = name.join(&entry.path));
        } else if !is_one {
            let members = entries.iter_mut().filter(|entry| entry.member().is_some());
            members.for_each(|entry| entry.path = name_of(input).join(&entry.path));
        }
        all.entries.extend(entries);
        all.indexes.extend(indexes);
        all.deliveries += deliveries;
        all.findings.extend(findings);
        all.errors.extend(errors);
    }
    let input = &arguments.inputs[0];
    if let Some(url) = arguments.source.url.as_deref().filter(|url| is_tree(input, &all) && folder_url(url) != *url) {
        let message = format!("--url names a page; the URL of the folder is taken to be {}", folder_url(url));
        all.findings.push((input.clone(), Finding::new(Code::UrlNotUsed, message)));
    }
    let unmatched = unmatched.into_iter().flatten();
    all.findings.extend(unmatched.map(|message| (input.clone(), Finding::new(Code::GlobUnmatched, message))));
    Ok(all)
}

/// Returns the folder that `--images-url` stands for.
fn folder_of_images(arguments: &InputArguments) -> Result<FolderUrl, Stop> {
    let Some(url) = &arguments.source.url else {
        return usage_error("--images-url stands for the URL of the folder; give that with --url");
    };
    folder_url(url).parse().or_else(|error| usage_error(format!("--url: {error}")))
}

/// Returns whether an input is a folder, or a bundle.
fn is_tree(input: &Path, collection: &Collection) -> bool {
    input.is_dir() || collection.entries.first().is_some_and(|entry| matches!(entry.kind, EntryKind::Bundle(_)))
}

/// Returns a message for each glob that matches none of the entries.
fn unmatched_globs(selection: &Selection, collection: &Collection) -> Vec<String> {
    let of = |option: &'static str, globs: &Option<Globs>| -> Vec<String> {
        let message = |glob: &str| format!("{option} {glob:?} matches no file");
        globs.iter().flat_map(|globs| collection.unmatched(globs).map(message).collect::<Vec<_>>()).collect()
    };
    [of("--include", &selection.include), of("--exclude", &selection.exclude)].concat()
}

fn standard_input(selection: &Selection, shown: Shown) -> Result<Collection, Stop> {
    let mut collection = match collect_reader(progress::reading(io::stdin().lock(), shown), selection) {
        Ok(collection) => collection,
        Err(error) => return usage_error(format!("cannot read standard input: {error}")),
    };
    let entry = &mut collection.entries[0];
    let is_file = matches!(entry.kind, EntryKind::File(_) | EntryKind::Undecided(_));
    if is_file && entry.file_type()?.is_none() {
        if entry.attributes.size == 0 {
            return usage_error("standard input is empty; the program that writes it may have failed");
        }
        // A fragment of HTML is like no file, and a message or an mbox was detected.
        entry.read_as(FileType::Document(DocumentType::Html));
        if selection.purpose != Purpose::Mail {
            let finding = Finding::new(Code::TypeAssumed, "its type is not detected; it is read as HTML");
            collection.findings.push(("-".into(), finding.with_remedy(Remedy::NameType)));
        }
    }
    Ok(collection)
}

/// Returns whether `input` is a pipe or a device, which can be read only once.
pub(crate) fn is_pipe(input: &Path) -> bool {
    input.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Refuses inputs with the same name in the output.
pub(crate) fn refuse_clash(arguments: &InputArguments) -> Result<(), Stop> {
    let mut names: HashMap<PathBuf, &Path> = HashMap::new();
    for input in &arguments.inputs {
        if let Some(other) = names.insert(name_of(input), input) {
            let (one, other) = (input.display(), other.display());
            return usage_error(format!("{other} and {one} would have the same name in the output"));
        }
    }
    Ok(())
}

/// Completes `--keep-local` with the files of the input, links to which are left unchanged.
fn keep_local(options: &mut Options, arguments: &InputArguments, collection: &Collection) -> Result<(), Stop> {
    let entries = &collection.entries;
    // Targets are compared as URLs in the folder of this file.
    let file = match (&arguments.source.url, root_of_list(entries)) {
        (Some(url), _) if !is_tree(&arguments.inputs[0], collection) => url.clone(),
        (Some(url), _) => url_below(folder_url(url), Path::new("x")),
        (None, Some(root)) => url_below(&root, Path::new("x")),
        (None, None) => {
            return usage_error(
                "--keep-local: by --urls no file has the URL of its place in the folder; give the URL of the folder with --url",
            );
        }
    };
    let file = base_of_url(&file, options.rules)?;
    let end = file.find(['?', '#']).unwrap_or(file.len());
    let root = &file[..file[..end].rfind('/').map_or(end, |slash| slash + 1)];
    let paths = entries.iter().map(|entry| entry.path.as_os_str().as_encoded_bytes());
    options.local_files = Some(LocalFiles::new(root, paths));
    Ok(())
}

/// Returns the URL of the folder by the first file that `--urls` gives the URL of its place in it.
pub(crate) fn root_of_list(entries: &[Entry]) -> Option<String> {
    let listed = entries.iter().filter_map(|entry| Some((entry, entry.retrieval()?)));
    let mut listed = listed.filter(|(_, retrieval)| retrieval.source.is_listed());
    listed.find_map(|(entry, retrieval)| {
        let root = retrieval.url.rsplitn(entry.path.components().count() + 1, '/').last()?;
        (url_below(root, &entry.path) == retrieval.url).then(|| root.to_owned())
    })
}

/// Says that nothing of an input is read, and which archives in it would be.
pub(crate) fn no_document_in(input: &Path, entries: &[Entry]) -> String {
    let is_unread = |entry: &&Entry| !matches!(entry.kind, EntryKind::Bundle(_)) && is_bundle_name(&entry.source);
    let is_within = |entry: &&Entry| entry.source.starts_with(input) && entry.source != *input;
    let archive = entries.iter().filter(is_within).find(is_unread);
    let hint =
        archive.map(|archive| format!("; an archive in it is read if it is named, as {}", archive.source.display()));
    format!("no file of it is a document{}", hint.unwrap_or_default())
}

/// Refuses a `--url` that cannot be a base.
pub(crate) fn check_url(arguments: &InputArguments, rules: Rules) -> Result<(), Stop> {
    match &arguments.source.url {
        Some(url) => base_of_url(url, rules).map(drop),
        None => Ok(()),
    }
}

/// Returns a URL of the command line as a base.
pub(crate) fn base_of_url(url: &str, rules: Rules) -> Result<String, Stop> {
    match retrieval_url(url, rules) {
        Ok(base) => Ok(base.as_str().to_owned()),
        Err(error) => usage_error(format!("--url: {error}")),
    }
}

/// Returns the name of an input in the output.
fn name_of(input: &Path) -> PathBuf {
    let canonical = || input.canonicalize().ok()?.file_name().map(PathBuf::from);
    input.file_name().map(PathBuf::from).or_else(canonical).unwrap_or_default()
}

fn selection(arguments: &InputArguments, urls: &UrlTable) -> Result<Selection, Stop> {
    let set = |patterns: &[String]| match Globs::new(patterns) {
        _ if patterns.is_empty() => Ok(None),
        Ok(set) => Ok(Some(set)),
        Err(error) => usage_error(error.to_string()),
    };
    let mut selection = Selection::default();
    selection.url.clone_from(&arguments.source.url);
    selection.urls.clone_from(&urls.by_path);
    selection.list = urls.list;
    selection.file_type = arguments.source.file_type;
    selection.layout = arguments.source.layout;
    selection.directory_index.clone_from(&arguments.source.directory_index);
    selection.discovery = arguments.source.discovery();
    selection.charset = arguments.source.charset;
    selection.symlinks = arguments.source.symlinks;
    selection.include = set(&arguments.source.include)?;
    selection.exclude = set(&arguments.source.exclude)?;
    Ok(selection)
}
