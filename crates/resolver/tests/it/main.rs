//! Tests of resolution, by the examples of the standards and the tests of browsers.

mod literal;
mod second_opinion;
mod vectors;
mod whatwg;
