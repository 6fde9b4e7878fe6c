//! How fast a large data file is read, and one of usual size, beside the parser that only makes events.
//!
//! `cargo bench -p hieratic-yaml`

use std::fmt::Write;
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use hieratic_yaml as yaml;

fn main() {
    divan::main();
}

/// 20 MB of data as control repositories have it: many keys, strings, nested hashes, lists, some numbers.
static SOURCE: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("---\n");
    let mut number = 0u64;
    while text.len() < 20_000_000 {
        number = number.wrapping_add(1);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "profile::service{number}::settings:\n  ensure: present\n  port: {}\n  enabled: true\n  \
             description: \"The service number {number}, as it runs in production\"\n  tags:\n    - web\n    \
             - cluster-{}\n    - 'zone {}'\n  limits:\n    nofile: 0x{number:x}\n    load: {}.5\n    path: \
             /var/lib/service{number}/data\nprofile::service{number}::motto: We serve number {number} with pleasure\n",
            number % 65536,
            number % 97,
            number % 7,
            number % 13,
        );
    }
    text
});

#[divan::bench(sample_count = 5)]
fn values(bencher: Bencher) {
    let source = SOURCE.as_bytes();
    let options = yaml::Options::new("big.yaml");
    bencher.counter(BytesCount::of_slice(source)).bench(|| yaml::parse(black_box(source), &options));
}

#[divan::bench(sample_count = 5)]
fn values_with_positions(bencher: Bencher) {
    let source = SOURCE.as_bytes();
    let options = yaml::Options::new("big.yaml");
    bencher.counter(BytesCount::of_slice(source)).bench(|| yaml::parse_with_positions(black_box(source), &options));
}

#[divan::bench(sample_count = 5)]
fn events_of_unsafe_libyaml(bencher: Bencher) {
    let source = SOURCE.as_bytes();
    bencher.counter(BytesCount::of_slice(source)).bench(|| libyaml_events(black_box(source)));
}

/// As much of it as is read without libyaml.
fn part() -> &'static [u8] {
    let end = SOURCE[..1_000_000].rfind("\nprofile").map_or(0, |found| found + 1);
    &SOURCE.as_bytes()[..end]
}

#[divan::bench(sample_count = 20)]
fn part_events(bencher: Bencher) {
    bencher.counter(BytesCount::of_slice(part())).bench(|| {
        let mut events = yaml::events::Events::new(black_box(part()));
        let mut count = 0;
        while let Ok(event) = events.next()
            && !matches!(event.kind, yaml::events::Kind::StreamEnd)
        {
            count += 1;
        }
        count
    });
}

#[divan::bench(sample_count = 20)]
fn part_values(bencher: Bencher) {
    let options = yaml::Options::new("part.yaml");
    bencher.counter(BytesCount::of_slice(part())).bench(|| yaml::parse(black_box(part()), &options));
}

#[divan::bench(sample_count = 20)]
fn part_events_of_unsafe_libyaml(bencher: Bencher) {
    bencher.counter(BytesCount::of_slice(part())).bench(|| libyaml_events(black_box(part())));
}

/// Counts the events.
#[allow(unsafe_code)]
fn libyaml_events(source: &[u8]) -> usize {
    use std::mem::MaybeUninit;
    use unsafe_libyaml::*;

    let mut parser = MaybeUninit::<yaml_parser_t>::uninit();
    let parser = parser.as_mut_ptr();
    let mut count = 0;
    // SAFETY: the calls are in the order that the library asks for, and the parser does not move.
    unsafe {
        let _ = yaml_parser_initialize(parser);
        yaml_parser_set_input_string(parser, source.as_ptr(), source.len() as u64);
        loop {
            let mut event = MaybeUninit::<yaml_event_t>::uninit();
            if yaml_parser_parse(parser, event.as_mut_ptr()).fail {
                break;
            }
            let mut event = event.assume_init();
            count += 1;
            let last = event.type_ == YAML_STREAM_END_EVENT;
            yaml_event_delete(&mut event);
            if last {
                break;
            }
        }
        yaml_parser_delete(parser);
    }
    count
}
