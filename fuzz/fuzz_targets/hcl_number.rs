#![no_main]
//! Numbers of HCL: what reads prints, what prints reads as the same number, and arithmetic keeps its laws.

use hieratic_hcl_types::Number;

#[path = "reference.rs"]
mod reference;

libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| {
    // Exponents make numbers of as many digits as they say.
    let short = |text: &str| {
        let digits = text.rsplit(['e', 'E', 'p', 'P']).next().unwrap_or("");
        text.len() <= 400 && (digits.len() == text.len() || digits.trim_start_matches(['+', '-']).len() <= 3)
    };
    let (Some(a), Some(b)) = (read(texts.0, short), read(texts.1, short)) else { return };
    for number in [&a, &b] {
        let printed = number.to_string();
        // The shortest digits of a power of two may be those of its neighbour below, as in the reference.
        if !number.is_infinite() && !texts.0.contains(['p', 'P']) && !texts.1.contains(['p', 'P']) {
            assert_eq!(Number::parse(&printed).as_ref(), Some(number), "{printed}");
        }
        assert_eq!(number.negate().negate(), *number);
        let _ = (number.to_f64(), number.floor(), number.ceil(), number.to_short(10));
    }
    assert_eq!(a.add(&b), b.add(&a));
    assert_eq!(a.multiply(&b), b.multiply(&a));
    if let Some(difference) = a.subtract(&b) {
        assert_eq!(difference.is_zero(), a == b);
    }
    let _ = (a.divide(&b), a.modulo(&b));
    for operator in ["+", "-", "*", "/", "%", "<", "=="] {
        let text = format!("({a}) {operator} ({b})");
        if a.is_infinite() || b.is_infinite() {
            continue;
        }
        let question = hieratic::hcl::HclInput { text: text.clone().into(), ..Default::default() };
        let report = hieratic::hcl::evaluate_hcl(&question, &hieratic::hcl::hcl_functions(None)).report();
        reference::compare("expr", &text, &report);
    }
});

fn read(text: &str, short: impl Fn(&str) -> bool) -> Option<Number> {
    if short(text) { Number::parse(text) } else { None }
}
