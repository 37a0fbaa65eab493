//! Writes the JavaScript that calls a WebAssembly module, by the `wasm-bindgen` of `Cargo.lock`: `absolve-js-bindings MODULE FOLDER`.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [module, folder] = &env::args_os().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: absolve-js-bindings MODULE FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("glue").web(true)?.reset_state_function(true).omit_default_module_path(true);
    bindgen.typescript(false).remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.generate(folder)?)
}
