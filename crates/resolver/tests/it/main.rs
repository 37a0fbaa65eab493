//! Tests of resolution, by the examples of the standards and the tests of browsers.

mod vectors;
mod whatwg;
