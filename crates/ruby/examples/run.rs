//! Runs Ruby source, or replays recorded answers: for trying things beside MRI.

use hieratic_ruby::{Alone, Ruby, RubyError, ErrorKind};

fn shown(result: Result<String, RubyError>) -> String {
    match result {
        Ok(shown) => format!("=> {shown}"),
        Err(error) => match &error.kind {
            ErrorKind::Raised { class, .. } => format!("!! {class}: {}", error.message.lines().next().unwrap_or_default()),
            _ => format!("?? {error}"),
        },
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().map(String::as_str) != Some("--replay") {
        let source = arguments.first().cloned().unwrap_or_default();
        let source = std::fs::read_to_string(&source).unwrap_or(source);
        let mut ruby = Ruby::new();
        let result = ruby.inspect(&mut Alone::default(), &source, "x.rb");
        println!("{}{}", ruby.take_output(), shown(result));
        return;
    }
    let cases = std::fs::read_to_string(&arguments[1]).unwrap_or_default();
    let (mut right, mut wrong) = (0, 0);
    for line in cases.lines() {
        let Ok(case) = serde_json::from_str::<Vec<String>>(line) else { continue };
        let answer = shown(Ruby::new().inspect(&mut Alone::default(), &case[0], "x.rb"));
        if answer == case[1] {
            right += 1;
        } else {
            wrong += 1;
            println!("{}\n   MRI {}\n   we  {answer}", case[0], case[1]);
        }
    }
    println!("{right} right, {wrong} wrong");
}
