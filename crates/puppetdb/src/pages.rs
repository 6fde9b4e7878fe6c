//! [`Pages`]: all nodes with their facts, page by page.

use std::time::Duration;

use hieratic::{Error, Facts};

use crate::client::Client;

/// The number of nodes in a page: a few megabytes of facts.
const PAGE_SIZE: usize = 250;
/// The timeout of a page.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum size of a page in bytes: 1 MiB of facts for each node.
const MAX_BYTES: u64 = (PAGE_SIZE as u64) << 20;
/// The maximum number of pages that are searched for the last node read.
const MAX_SEARCHED_PAGES: usize = 4;

/// An iterator over the active nodes with their facts, sorted by name. Its memory does not grow with the number of
/// nodes.
///
/// PuppetDB pages by offset, and its nodes may change between pages. Each page therefore begins with the last node of
/// the previous page. If it does not, nodes were added or removed, and earlier pages are searched for this node.
#[derive(Debug)]
pub struct Pages {
    client: Client,
    /// The pending nodes of the page, in reverse.
    waiting: Vec<Facts>,
    /// The last node that was read, and its offset.
    last: Option<(String, usize)>,
    is_finished: bool,
}

impl Client {
    /// Returns all nodes with their facts, page by page. No request is sent before the first node is requested, and an
    /// error ends the iteration.
    pub fn pages(self) -> Pages {
        Pages { client: self, waiting: Vec::new(), last: None, is_finished: false }
    }
}

impl Iterator for Pages {
    type Item = Result<Facts, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() && !self.is_finished {
            if let Err(error) = self.read_next_page() {
                self.is_finished = true;
                return Some(Err(error));
            }
        }
        self.waiting.pop().map(Ok)
    }
}

impl Pages {
    /// Returns the URL of PuppetDB, without credentials.
    pub fn url(&self) -> &str {
        self.client.url()
    }

    /// Reads the next page.
    fn read_next_page(&mut self) -> Result<(), Error> {
        let (mut page, first) = match &self.last {
            None => (self.page(0)?, 0),
            Some((name, number)) => self.page_after(name, *number)?,
        };
        if let Some(facts) = page.last() {
            let name = facts.node().unwrap_or_default().to_owned();
            self.last = Some((name, first + page.len() - 1));
        } else {
            self.is_finished = true;
        }
        page.reverse();
        self.waiting = page;
        Ok(())
    }

    /// Returns the nodes of a page after a node, and the offset of the first of them.
    fn page_after(&self, name: &str, number: usize) -> Result<(Vec<Facts>, usize), Error> {
        let mut offset = number;
        for _ in 0..MAX_SEARCHED_PAGES {
            let mut page = self.page(offset)?;
            if let Some(at) = page.iter().position(|facts| facts.node() == Some(name)) {
                let is_whole = page.len() >= PAGE_SIZE && at + 1 == page.len();
                page.drain(..=at);
                if is_whole {
                    // The node is at the end of the page, because others were added before it.
                    offset += at
                } else {
                    return Ok((page, offset + at + 1));
                }
            } else if offset == 0 {
                break;
            } else {
                offset = offset.saturating_sub(PAGE_SIZE / 2);
            }
        }
        Err(self.client.unexpected_response("its nodes changed while they were read; run the command again"))
    }

    fn page(&self, offset: usize) -> Result<Vec<Facts>, Error> {
        // [{"field": "certname"}]
        let order = "order_by=%5B%7B%22field%22%3A%22certname%22%7D%5D";
        let path = format!("/pdb/query/v4/inventory?{order}&limit={PAGE_SIZE}&offset={offset}");
        self.client.inventory(&path, TIMEOUT, MAX_BYTES)
    }
}
