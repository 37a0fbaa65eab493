#![doc = include_str!("../README.md")]

mod ascii;
mod establish;
#[cfg(feature = "mail")]
mod header;
mod layer;
mod source;

pub use absolve_options::Profile;
pub use ascii::ascii_host;
pub use establish::{Base, Caution, Charset, Declaration, Declared, Rules, Verdict, establish};
#[cfg(feature = "mail")]
pub use header::{declaration_of, declarations_in_header, url_and_charset, url_of_field_value};
pub use layer::{Field, Layer};
pub use source::{Place, Retrieval, UrlSource};
