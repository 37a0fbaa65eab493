//! Web archives in a ZIP (WACZ).

pub(crate) mod cdxj;
pub(crate) mod package;
pub(crate) mod pages;
mod to_error;
