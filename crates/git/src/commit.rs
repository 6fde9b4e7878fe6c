//! The content of commits and tags. See <https://git-scm.com/docs/git-cat-file>.

use crate::id::Id;
use crate::objects::ObjectKind;

/// The part of a commit that a walk through a history needs.
#[derive(Clone, Debug)]
pub(crate) struct CommitObject {
    /// Its tree.
    pub(crate) tree: Id,
    /// The commits before it.
    pub(crate) parents: Vec<Id>,
    /// When the commit was made, in seconds since 1970.
    pub(crate) committed: i64,
}

/// The part of a commit that is shown.
#[derive(Clone, Debug)]
pub(crate) struct CommitText {
    /// The author of the changes, and the time.
    pub(crate) author: Person,
    /// The message.
    pub(crate) message: String,
}

/// A person and a time.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) mail: String,
    pub(crate) seconds: i64,
}

impl CommitObject {
    /// Reads a commit.
    pub(crate) fn parse(bytes: &[u8]) -> Result<CommitObject, &'static str> {
        Ok(CommitLines::parse(bytes)?.commit)
    }
}

impl CommitText {
    /// Reads the author and the message of a commit.
    pub(crate) fn parse(bytes: &[u8]) -> Result<CommitText, &'static str> {
        let CommitLines { author, rest, .. } = CommitLines::parse(bytes)?;
        // Further headers, of which one may have several lines, end before an empty line.
        let message = if rest.starts_with(b"\n") {
            rest.get(1..)
        } else {
            rest.windows(2).position(|two| two == b"\n\n").and_then(|at| rest.get(at + 2..))
        };
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let PersonLine { name, mail, seconds } = author;
        let author = Person { name: text(name).trim().to_owned(), mail: text(mail).trim().to_owned(), seconds };
        Ok(CommitText { author, message: text(message.unwrap_or_default()) })
    }
}

/// A commit as written.
struct CommitLines<'b> {
    commit: CommitObject,
    author: PersonLine<'b>,
    /// The bytes after the committer.
    rest: &'b [u8],
}

impl CommitLines<'_> {
    fn parse(bytes: &[u8]) -> Result<CommitLines<'_>, &'static str> {
        let mut rest = bytes;
        let tree = line(&mut rest, b"tree ").and_then(Id::from_hex).ok_or("its tree is missing or malformed")?;
        let mut parents = Vec::new();
        while let Some(parent) = line(&mut rest, b"parent ") {
            parents.push(Id::from_hex(parent).ok_or("a parent is malformed")?);
        }
        let author =
            line(&mut rest, b"author ").and_then(PersonLine::parse).ok_or("its author is missing or malformed")?;
        let committer = line(&mut rest, b"committer ")
            .and_then(PersonLine::parse)
            .ok_or("its committer is missing or malformed")?;
        Ok(CommitLines { commit: CommitObject { tree, parents, committed: committer.seconds }, author, rest })
    }
}

/// A person as written.
struct PersonLine<'b> {
    name: &'b [u8],
    mail: &'b [u8],
    seconds: i64,
}

impl PersonLine<'_> {
    /// Parses `NAME <MAIL> SECONDS ZONE`. Times that are not numbers count as 1970, as in git.
    fn parse(text: &[u8]) -> Option<PersonLine<'_>> {
        let start = text.iter().position(|byte| *byte == b'<')?;
        let end = text.iter().rposition(|byte| *byte == b'>').filter(|end| *end > start)?;
        let (name, mail, when) = (text.get(..start)?, text.get(start + 1..end)?, text.get(end + 1..)?);
        let mut words = when.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let number = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
        // Years have four digits.
        let seconds = i64::clamp(number.unwrap_or(0), -62_135_596_800, 253_402_300_799);
        Some(PersonLine { name, mail, seconds })
    }
}

/// The object of a tag, and its kind according to the tag.
pub(crate) fn object_of_tag(bytes: &[u8]) -> Result<(Id, ObjectKind), &'static str> {
    let mut rest = bytes;
    let id = line(&mut rest, b"object ").and_then(Id::from_hex).ok_or("its object is missing or malformed")?;
    let kind = line(&mut rest, b"type ")
        .and_then(ObjectKind::from_name)
        .ok_or("the kind of its object is missing or unknown")?;
    Ok((id, kind))
}

/// The rest of a line that begins with a word.
fn line<'b>(bytes: &mut &'b [u8], word: &[u8]) -> Option<&'b [u8]> {
    let rest = bytes.strip_prefix(word)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    *bytes = rest.get(end + 1..)?;
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_as_they_are_written() {
        let (tree, parent) = ("1".repeat(40), "2".repeat(40));
        let head = format!("tree {tree}\nparent {parent}\nauthor A B <a@b> 5 +0100\ncommitter C <c@d> 6 +0000\n");
        for (rest, message) in [("\nm\n\nn\n", "m\n\nn\n"), ("gpgsig a\n b\n\nm", "m"), ("", ""), ("\n", "")] {
            let bytes = format!("{head}{rest}").into_bytes();
            let (written, shown) = (CommitObject::parse(&bytes).unwrap(), CommitText::parse(&bytes).unwrap());
            assert_eq!((written.tree.to_string(), written.parents.len()), (tree.clone(), 1));
            assert_eq!((&*shown.author.name, &*shown.author.mail, shown.author.seconds), ("A B", "a@b", 5));
            assert_eq!((written.committed, &*shown.message), (6, message), "{rest:?}");
        }
        for wrong in ["", "tree 1\n", &head[..60], &format!("tree {tree}\nauthor\n")] {
            assert!(CommitObject::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
        let tag = format!("object {tree}\ntype commit\ntag v1\n");
        assert_eq!(object_of_tag(tag.as_bytes()).unwrap().1, ObjectKind::Commit);
        assert!(object_of_tag(b"object 1\n").is_err());
    }
}
