//! scratch
use hieratic_diagnostics::Source;
use hieratic_syntax::{Options, parse, pn};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    for line in text.lines() {
        let code: String = serde_json::from_str(line).unwrap();
        let p = parse(&Source::new("f", code), &Options::default());
        match p.program {
            Some(p) => { let x = pn::Pn::of(&p.body); println!("{}", serde_json::to_string(&(x.pretty(), x.json(), x.json_pretty())).unwrap()) }
            None => println!("null"),
        }
    }
}
