//! What the program promises: a module for each promise.

#![allow(clippy::disallowed_methods)]

mod support;

mod documents {
    mod corpora;
    mod every_link_absolute;
    mod feeds;
    mod hostile;
    mod integrity;
    mod json_feeds;
    mod laws;
    mod no_link_missed;
    mod single;
    mod urls;
    mod verified;
    mod verified_at_limits;
}

mod mail {
    mod compressed;
    mod compressed_odd;
    mod edits;
    mod field_comments;
    mod fixtures;
    mod generated;
    mod hostile;
    mod locations;
    mod maildir;
    mod mbox;
    mod message_url;
    mod messages;
    mod multiparts;
    mod other_formats;
    mod saved_pages;
}

mod archives {
    mod changed;
    mod damage_anywhere;
    mod damaged;
    mod damaged_wacz;
    mod names;
    mod revisits;
    mod sites;
    mod sites_and_back;
    mod sites_by_heads;
    mod sites_of_collections;
    mod sites_of_odd_archives;
    mod sites_of_odd_pages;
    mod verified_archive_faults;
    mod verified_archives;
    mod wacz;
    mod warc;
    mod warc_derived;
    mod warc_derived_odd;
    mod warc_odd;
    mod wat;
}

mod bundles {
    mod around;
    mod cut_off;
    mod given;
    mod links;
    pub(crate) mod made;
    mod maildirs;
    mod names;
    mod odd;
    mod trees;
}

mod discovery {
    mod copies_of_archives;
    mod mirror_doubts;
    mod mirror_evidence;
    mod mirror_guesses;
    mod mirror_pages;
    mod mirrors;
    mod mirrors_odd;
    mod odd;
    mod sources;
    mod where_files_come_from;
    mod which_files;
}

mod packing {
    mod bundle;
    mod incomplete;
    mod newsletter;
    mod pack;
    mod pack_odd;
    mod packed;
    mod placeholders;
    mod separators;
    mod styles;
    mod styles_odd;
    mod templates;
    mod unpack;
    mod unpack_odd;
    mod unpacked;
}

mod files {
    mod diff;
    mod exchanged;
    mod huge;
    mod in_place;
    #[cfg(target_os = "linux")]
    mod interrupted;
    mod journal;
    mod killed;
    mod opens;
    mod private;
    mod symlinks;
    mod trees;
    mod two_runs;
    mod unfinished;
    mod what_is_written_where;
    mod where_output_goes;
    mod written_beside;
}

mod program {
    mod check;
    mod ci;
    mod command_line;
    mod first_steps;
    mod graphs;
    mod guidance;
    mod help;
    mod honest_runs;
    mod house_rules;
    mod imports;
    mod link_tables;
    mod new_user;
    mod no_network;
    mod page;
    mod report;
    mod standard_streams;
    mod verify;
}

mod planted_faults;
mod planted_faults_by_kind;
mod practice;
