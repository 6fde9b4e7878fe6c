//! Random functions: those with a seed are deterministic, `shuffle` is not.

use std::hash::{BuildHasher, Hasher, RandomState};

use hieratic_puppet_functions::{Algorithm, Call, Dispatch, Doc, Flow, Function, Outcome, hexdigest};
use hieratic_value::Value;
use hieratic_value::random::Random;

use crate::facts;
use crate::untyped::{arguments, fail};

/// The default characters of a random string, in the order of each function.
const DIGITS_FIRST_CAPITALS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS_FIRST_SMALL: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The maximum length of a random string.
const LONGEST: i64 = 1 << 20;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new("shuffle", Doc::new("Shuffles elements or letters."), &[Dispatch::untyped(shuffle)]),
    Function::new(
        "stdlib::fqdn_rand_string",
        Doc::new("Returns a random string that is constant per node."),
        &[Dispatch::new(&["Integer[1] length", "Optional[String] charset?", "Any *seed"], fqdn_rand_string)],
    ),
    Function::new(
        "stdlib::fqdn_rotate",
        Doc::new("Rotates an array or string, constant per node."),
        &[
            Dispatch::new(&["String input", "Variant[Integer,String] *seeds"], fqdn_rotate),
            Dispatch::new(&["Array input", "Variant[Integer,String] *seeds"], fqdn_rotate),
        ],
    ),
    Function::new(
        "stdlib::seeded_rand",
        Doc::new("Returns a random number that is constant per seed."),
        &[Dispatch::new(&["Integer[1] max", "String seed"], |call| {
            let max = call.arguments[0].clone();
            let seed = hexdigest(Algorithm::Md5, call.arguments[1].to_text().as_bytes());
            Ok(Value::Integer(below(&mut Random::new(&seed), &max)))
        })],
    ),
    Function::new(
        "stdlib::seeded_rand_string",
        Doc::new("Returns a random string that is constant per seed."),
        &[Dispatch::new(&["Integer[1] length", "String seed", "String[2] charset?"], |call| {
            let seed = hexdigest(Algorithm::Sha256, call.arguments[1].to_text().as_bytes());
            let charset = call.arguments.get(2).and_then(Value::as_str).unwrap_or(DIGITS_FIRST_SMALL);
            let charset: Vec<char> = charset.chars().collect();
            let mut random = Random::new(&seed);
            let length = length(call)?;
            Ok(Value::from((0..length).filter_map(|_| pick(&mut random, &charset)).collect::<String>()))
        })],
    ),
];

/// Returns a number that differs with every call.
pub(crate) fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn below(random: &mut Random, max: &Value) -> i64 {
    let max = if let Value::Integer(max) = max { max.unsigned_abs() } else { 0 };
    // The result is below a 63-bit limit.
    i64::try_from(random.below(max)).unwrap_or(i64::MAX)
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> Option<T> {
    let at = random.below(u64::try_from(from.len()).ok()?);
    from.get(usize::try_from(at).ok()?).copied()
}

fn length(call: &Call<'_>) -> Result<i64, Flow> {
    match call.arguments.first() {
        Some(Value::Integer(length)) if *length <= LONGEST => Ok(*length),
        _ => fail(format!("a random text may have at most {LONGEST} characters")),
    }
}

fn shuffle(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "shuffle")?;
    let mut random = Random::new(&format!("{:x}", seed()));
    match given.first() {
        None => fail("shuffle(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Array(elements)) => Ok(shuffled(&mut random, elements.to_vec()).into_iter().collect()),
        Some(Value::String(text)) => {
            Ok(Value::from(shuffled(&mut random, text.chars().collect()).into_iter().collect::<String>()))
        }
        Some(_) => fail("shuffle(): Requires either array or string to work with"),
    }
}

fn shuffled<T>(random: &mut Random, mut elements: Vec<T>) -> Vec<T> {
    for left in (1..elements.len()).rev() {
        // An index below the length fits.
        let other = usize::try_from(random.below(left as u64 + 1)).unwrap_or(left);
        elements.swap(left, other);
    }
    elements
}

/// Returns a string specific to the node: one number of `fqdn_rand` for each character.
fn fqdn_rand_string(call: &mut Call<'_>) -> Outcome {
    let charset = call.arguments.get(1).and_then(Value::as_str).filter(|charset| !charset.is_empty());
    let charset: Vec<char> = charset.unwrap_or(DIGITS_FIRST_CAPITALS).chars().collect();
    let mut seeds: Vec<String> = Vec::new();
    for seed in call.arguments.iter().skip(2) {
        joined(seed, &mut seeds);
    }
    let size = Value::from(charset.len());
    let mut text = String::new();
    for current in 1..=length(call)? {
        let seed: String = seeds.iter().map(|seed| format!("{seed}:")).collect();
        let number = call.host.call_function("fqdn_rand", &[size.clone(), format!("{seed}{current}").into()], None)?;
        let at = if let Value::Integer(number) = number { usize::try_from(number).ok() } else { None };
        text.extend(at.and_then(|at| charset.get(at)));
    }
    Ok(Value::from(text))
}

/// Collects the strings of a value like Ruby's `join`: the elements of arrays one by one.
fn joined(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| joined(element, into)),
        _ => into.push(value.to_text()),
    }
}

/// Rotates the elements by a number specific to the node.
fn fqdn_rotate(call: &mut Call<'_>) -> Outcome {
    let name = facts::at(call, &["networking", "fqdn"])?.to_text();
    let mut seeds = Vec::new();
    for seed in call.arguments.iter().skip(1) {
        joined(seed, &mut seeds);
    }
    // The sign is also written without seeds.
    let seed = format!("{name}:{}", seeds.join(":"));
    let mut random = Random::new(&hexdigest(Algorithm::Md5, seed.as_bytes()));
    let mut turn = |count: usize| if count < 2 { 0 } else { usize::try_from(random.below(count as u64)).unwrap_or(0) };
    Ok(match &call.arguments[0] {
        Value::String(text) => {
            let mut characters: Vec<char> = text.chars().collect();
            let by = turn(characters.len());
            characters.rotate_left(by);
            Value::from(characters.into_iter().collect::<String>())
        }
        other => {
            let mut elements = other.as_array().unwrap_or_default().to_vec();
            let by = turn(elements.len());
            elements.rotate_left(by);
            Value::from(elements)
        }
    })
}
