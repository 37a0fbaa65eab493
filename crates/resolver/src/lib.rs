#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod base_url;
mod components;
mod grammar;
mod hierarchical;
mod partial;
mod path;
mod plain;
mod resolve;
mod scheme;
mod server;
mod standard;
mod strip;
mod whatwg;

#[cfg(any(test, fuzzing))]
pub mod laws;

pub use base_url::{BaseUrl, NotABase, Unresolvable};
pub use components::Components;
pub use grammar::{Grammar, Production};
pub use resolve::resolve_without_base;
pub use scheme::{
    RelativeUse, authority_start, is_no_place, is_page_url, is_portable, is_special, scheme_of_3986, without_login,
};
pub use server::Server;
pub use standard::{ReferenceKind, Standard};
pub use strip::strip;
