//! Web archives in a ZIP (WACZ).

pub(crate) mod cdxj;
mod described;
mod members;
pub(crate) mod package;
pub(crate) mod pages;
mod to_error;
