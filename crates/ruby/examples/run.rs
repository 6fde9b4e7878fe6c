//! Runs a Ruby file, or renders a template with variables from JSON: for trying things beside MRI.

use hieratic_ruby::{Alone, Host, Ruby};

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let source = std::fs::read_to_string(&path).unwrap_or(path);
    let mut ruby = Ruby::new();
    let mut host = Alone::default();
    let _ = host.budget();
    match ruby.inspect(&mut host, &source, "x.rb") {
        Ok(shown) => println!("{}=> {shown}", ruby.take_output()),
        Err(error) => println!("{}!! {error}", ruby.take_output()),
    }
}
