//! How a repository is changed: by its lines, words and values, and by constructs that cost much.

use crate::hostile;
use crate::random::Random;
use crate::repository::{File, Repository};
use crate::seeds::Seeds;

/// The largest repository that comes of it, in bytes.
const LARGEST: usize = 400_000;

/// A repository that a seed decides.
pub(crate) fn repository(seeds: &Seeds, random: &mut Random) -> Repository {
    let mut repository = seeds.choose(random);
    for _ in 0..=random.size(12) {
        if repository.size() > LARGEST {
            break;
        }
        if random.once_in(8) {
            change_files(&mut repository, seeds, random);
        } else {
            change_text(&mut repository, seeds, random);
        }
    }
    repository
}

/// The same repository with other texts in its files.
pub(crate) fn with_other_texts(mut repository: Repository, seeds: &Seeds, random: &mut Random) -> Repository {
    for _ in 0..=random.size(12) {
        if repository.size() <= LARGEST {
            change_text(&mut repository, seeds, random);
        }
    }
    repository
}

/// Changes names, links and which files there are.
fn change_files(repository: &mut Repository, seeds: &Seeds, random: &mut Random) {
    const NAMES: [&str; 14] = [
        "hiera.yaml",
        "data/common.yaml",
        "data/common.json",
        "data/common.conf",
        "data/common.eyaml",
        "data/common.hcl",
        "environment.conf",
        "metadata.json",
        "hieratic.yaml",
        "manifests/site.pp",
        "modules/m/hiera.yaml",
        "modules/m/data/common.yaml",
        "templates/page.j2",
        "data/\u{e9}\u{202e} x.yaml",
    ];
    const TARGETS: [&str; 6] = ["common.yaml", ".", "..", "/etc/passwd", "data/common.yaml", "/proc/self/environ"];
    let at = random.below(repository.files.len());
    let name = random.one(&NAMES).copied().unwrap_or("hiera.yaml").to_owned();
    match random.below(6) {
        0 if repository.files.len() > 1 => {
            repository.files.remove(at);
        }
        1 => {
            if let Some(file) = repository.files.get_mut(at) {
                file.path = name;
            }
        }
        2 => {
            if let Some(file) = repository.files.get(at).cloned() {
                repository.put(File { path: name, ..file });
            }
        }
        3 => {
            let link = random.one(&TARGETS).copied().unwrap_or(".").to_owned();
            repository.put(File { link: Some(link), ..File::new(name, "") });
        }
        4 => {
            if let Some(file) = seeds.file(random) {
                repository.put(file.clone());
            }
        }
        _ => {
            if let Some(file) = seeds.file(random) {
                repository.put(File { path: name, ..file.clone() });
            }
        }
    }
}

/// Changes the text of a file.
fn change_text(repository: &mut Repository, seeds: &Seeds, random: &mut Random) {
    let at = random.below(repository.files.len());
    // What a line or a value comes from: another file here, or of any seed.
    let other = if random.once_in(2) { random.one(&repository.files).cloned() } else { seeds.file(random).cloned() };
    let Some(file) = repository.files.get_mut(at).filter(|file| file.link.is_none()) else { return };
    let extension = file.extension().to_owned();
    if random.once_in(12) {
        change_bytes(&mut file.bytes, random);
        return;
    }
    let text = file.text();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push("\n".to_owned());
    }
    let line = random.below(lines.len());
    match random.below(13) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(line, lines[random.below(lines.len())].clone()),
        2 => {
            let with = random.below(lines.len());
            lines.swap(line, with);
        }
        3 => {
            let indent = [" ", "  ", "    ", "\t", "  - "];
            let indent = random.one(&indent).copied().unwrap_or(" ");
            let many = random.size(8);
            lines.iter_mut().skip(line).take(many).for_each(|line| line.insert_str(0, indent));
        }
        4 => lines[line] = lines[line].trim_start().to_owned(),
        5 => {
            let block: String = lines[line..(line + random.size(6)).min(lines.len())].concat();
            let times = random.size(60_000 / block.len().max(1));
            lines.insert(line, block.repeat(times));
        }
        6 | 7 => {
            if let Some(other) = other {
                let text = other.text();
                let from: Vec<&str> = text.split_inclusive('\n').collect();
                let start = random.below(from.len());
                let many = random.size(8).min(from.len().saturating_sub(start));
                lines.insert(line, from.get(start..start + many).unwrap_or_default().concat());
            }
        }
        8 => {
            let value = other.map(|other| other.text()).unwrap_or_default();
            let values: Vec<&str> =
                value.lines().filter_map(|line| line.split_once(": ").map(|(_, value)| value)).collect();
            if let (Some(value), Some((key, _))) = (random.one(&values), lines[line].split_once(": ")) {
                lines[line] = format!("{key}: {value}\n");
            }
        }
        9 | 10 => {
            let word = random.one(hostile::WORDS).copied().unwrap_or("");
            insert(&mut lines[line], word, random);
        }
        11 => {
            let largest = if random.once_in(6) { 6_000 } else { 200 };
            let size = random.size(largest);
            let made = hostile::made(random, &extension, size);
            if random.once_in(4) {
                insert(&mut lines[line], made.trim_end(), random);
            } else {
                lines.insert(line, made);
            }
        }
        _ => {
            let words: Vec<&str> =
                text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
            if let (Some(one), Some(other)) = (random.one(&words), random.one(&words)) {
                lines[line] = lines[line].replace(one, other);
            }
        }
    }
    file.bytes = lines.concat().into_bytes();
    file.bytes.truncate(LARGEST);
}

/// Puts a text where a word begins or ends, or in place of what follows there.
fn insert(line: &mut String, text: &str, random: &mut Random) {
    let borders: Vec<usize> = line
        .char_indices()
        .filter(|(at, c)| *at == 0 || !c.is_alphanumeric())
        .map(|(at, _)| at)
        .chain([line.trim_end().len()])
        .collect();
    let at = random.one(&borders).copied().unwrap_or(0);
    let end = if random.once_in(3) { line.trim_end().len().max(at) } else { at };
    line.replace_range(at..end, text);
}

fn change_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(4) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 => bytes.insert(at, u8::try_from(random.below(256)).unwrap_or(0)),
        2 => bytes.truncate(at),
        _ => {
            let end = (at + random.size(64)).min(bytes.len());
            bytes.drain(at..end);
        }
    }
}
