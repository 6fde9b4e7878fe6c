//! scratch
use hieratic_diagnostics::Source;
use hieratic_syntax::{Options, parse, pn};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let kb: usize = args[1].parse().unwrap();
    let n: usize = args[3].parse().unwrap();
    let text = args[2].repeat(n);
    let h = std::thread::Builder::new().stack_size(kb * 1024).spawn(move || {
        let p = parse(&Source::new("f", text), &Options::default());
        println!("{:?}", p.problems.last().map(|p| p.message.clone()));
        if let Some(p) = &p.program { println!("{}", pn::dump(p).len()); }
    }).unwrap();
    h.join().unwrap();
}
