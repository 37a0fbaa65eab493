//! What references mean, by the examples of the texts and by the tests of browsers.

mod vectors;
mod whatwg;
