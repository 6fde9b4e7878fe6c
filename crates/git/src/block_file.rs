//! [`BlockFile`]: a file that is read in blocks, with a cache of the latest ones.

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A file that is read in many places near each other. Git writes the objects of a kind into a pack in the order of the
/// history, so that the next one is mostly near one that was read.
#[derive(Debug)]
pub(crate) struct BlockFile {
    file: File,
    size: u64,
    kept: Mutex<KeptBlocks>,
}

/// The blocks that were read last.
#[derive(Debug, Default)]
struct KeptBlocks {
    /// The number of each block, and its bytes.
    blocks: Vec<(u64, Arc<[u8]>)>,
    /// The block that is replaced next.
    next: usize,
}

/// The size of a block in bytes.
const BLOCK: u64 = 16 << 10;
/// The number of blocks that are kept.
const MOST_BLOCKS: usize = 16;

impl BlockFile {
    /// A file of a size.
    pub(crate) fn new(file: File, size: u64) -> BlockFile {
        BlockFile { file, size, kept: Mutex::default() }
    }

    /// Reads as many bytes as there is room for, from an offset on.
    ///
    /// # Errors
    /// The file cannot be read, or it ends before.
    pub(crate) fn read_exact_at(&self, into: &mut [u8], offset: u64) -> io::Result<()> {
        let mut offset = offset;
        let mut rest = into;
        while !rest.is_empty() {
            let block = self.block(offset / BLOCK)?;
            let inner = usize::try_from(offset % BLOCK).unwrap_or(usize::MAX);
            let part = block.get(inner..).filter(|part| !part.is_empty()).ok_or(io::ErrorKind::UnexpectedEof)?;
            let count = part.len().min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&part[..count]);
            (rest, offset) = (later, offset + count as u64);
        }
        Ok(())
    }

    fn block(&self, number: u64) -> io::Result<Arc<[u8]>> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept().blocks.iter().find(|(other, _)| *other == number) {
            return Ok(known.clone());
        }
        let start = number.saturating_mul(BLOCK);
        let size = usize::try_from(self.size.saturating_sub(start).min(BLOCK)).map_err(io::Error::other)?;
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, size).collect();
        // They are not shared yet, so that nothing is copied.
        read_at(&self.file, Arc::make_mut(&mut bytes), start)?;
        let mut kept = kept();
        let next = kept.next;
        match kept.blocks.get_mut(next) {
            Some(old) => *old = (number, bytes.clone()),
            None => kept.blocks.push((number, bytes.clone())),
        }
        kept.next = (next + 1) % MOST_BLOCKS;
        Ok(bytes)
    }
}

/// Reads as many bytes as there is room for, from a place of a file.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

/// Like the function above, for a system that moves to the offset first.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut into: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !into.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, into, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        into = &mut into[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Like the functions above, for a system without threads, on which nothing else moves the offset.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_at(mut file: &File, into: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read_exact(into)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::index_file::IndexFile;

    /// A file of some blocks and a half, in which no two places look the same.
    fn file() -> (Vec<u8>, File) {
        let numbers = 0..u32::try_from(BLOCK).unwrap() * 21 / 8;
        let bytes: Vec<u8> = numbers.flat_map(|number| (number * 7).to_be_bytes()).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        (bytes, file)
    }

    type Read<'f> = dyn Fn(&mut [u8], u64) -> io::Result<()> + 'f;

    #[test]
    fn all_parts_are_read_as_they_are() {
        let (bytes, file) = file();
        let size = bytes.len() as u64;
        let index = IndexFile::new(file.try_clone().unwrap(), size);
        let blocks = BlockFile::new(file, size);
        let reads: [&Read<'_>; 2] = [&|into, offset| blocks.read_exact_at(into, offset), &|into, offset| {
            into.copy_from_slice(&index.bytes(offset, into.len())?);
            Ok(())
        }];
        // More than there are places for blocks, and more than the index is read in parts.
        for round in 0..40_usize {
            for length in [0, 1, 20, 5_000, 40_000] {
                let start = (round * 10_007 + length) % (bytes.len() - length);
                for read in reads {
                    let mut into = vec![0; length];
                    read(&mut into, start as u64).unwrap();
                    assert!(into == bytes[start..start + length], "{length} bytes at {start}");
                }
            }
        }
        for read in reads {
            assert!(read(&mut [0; 2], size - 1).is_err());
            assert!(read(&mut [0; 1], size + 100_000).is_err());
            assert!(read(&mut [0; 1], u64::MAX).is_err());
        }
    }
}
