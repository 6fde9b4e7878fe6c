//! [`Pages`]: all nodes with their facts, some at a time.

use std::time::Duration;

use hieratic::{Error, Facts};

use crate::client::Client;

/// The number of nodes in a page: a few megabytes of facts.
const SIZE: usize = 250;
/// The timeout of a page.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum size of a page in bytes: 1 MiB of facts for each node.
const LARGEST: u64 = (SIZE as u64) << 20;
/// The maximum number of pages that are searched for the last node read.
const MOST_STEPS: usize = 4;

/// An iterator over the active nodes with their facts, sorted by name. Its memory does not grow with the number of
/// nodes.
///
/// PuppetDB pages by offset, and its nodes change while they are read. So each page begins with the last node of the
/// page before. If it does not, nodes were added or removed, and earlier pages are searched for that node.
#[derive(Debug)]
pub struct Pages {
    client: Client,
    /// The nodes of the page that were not given yet, from the last to the first.
    waiting: Vec<Facts>,
    /// The last node that was read, and its number.
    last: Option<(String, usize)>,
    is_over: bool,
}

impl Client {
    /// All nodes with their facts, some at a time. Nothing is asked before the first node is needed, and an error ends the nodes.
    pub fn pages(self) -> Pages {
        Pages { client: self, waiting: Vec::new(), last: None, is_over: false }
    }
}

impl Iterator for Pages {
    type Item = Result<Facts, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() && !self.is_over {
            if let Err(error) = self.turn() {
                self.is_over = true;
                return Some(Err(error));
            }
        }
        self.waiting.pop().map(Ok)
    }
}

impl Pages {
    /// The address of PuppetDB, without credentials.
    pub fn url(&self) -> &str {
        self.client.url()
    }

    /// Reads the next page.
    fn turn(&mut self) -> Result<(), Error> {
        let (mut page, first) = match &self.last {
            None => (self.page(0)?, 0),
            Some((name, number)) => self.behind(name, *number)?,
        };
        if let Some(facts) = page.last() {
            let name = facts.node().unwrap_or_default().to_owned();
            self.last = Some((name, first + page.len() - 1));
        } else {
            self.is_over = true;
        }
        page.reverse();
        self.waiting = page;
        Ok(())
    }

    /// The nodes of a page that are behind a node, and the number of the first of them.
    fn behind(&self, name: &str, number: usize) -> Result<(Vec<Facts>, usize), Error> {
        let mut offset = number;
        for _ in 0..MOST_STEPS {
            let mut page = self.page(offset)?;
            if let Some(at) = page.iter().position(|facts| facts.node() == Some(name)) {
                let is_whole = page.len() >= SIZE && at + 1 == page.len();
                page.drain(..=at);
                match is_whole {
                    // The node is at the end of the page, since others were added before it.
                    true => offset += at,
                    false => return Ok((page, offset + at + 1)),
                }
            } else if offset == 0 {
                break;
            } else {
                offset = offset.saturating_sub(SIZE / 2);
            }
        }
        Err(self.client.odd("its nodes changed while they were read; run the command again"))
    }

    fn page(&self, offset: usize) -> Result<Vec<Facts>, Error> {
        // [{"field": "certname"}]
        let order = "order_by=%5B%7B%22field%22%3A%22certname%22%7D%5D";
        let path = format!("/pdb/query/v4/inventory?{order}&limit={SIZE}&offset={offset}");
        self.client.inventory(&path, TIMEOUT, LARGEST)
    }
}
