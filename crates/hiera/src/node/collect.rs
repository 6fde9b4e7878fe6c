//! Collects the files of a layer that lookups search.

use hieratic_value::ids::IndexVec;

use super::Node;
use super::level::{Backend, Levels};
use super::location::LocationKind;
use super::provider::Provider;
use super::sources::{Source, Sources};
use crate::layers::Rank;

impl Node {
    /// The files of a provider's hierarchy.
    pub(crate) fn sources_of<'n>(&'n self, provider: &'n Provider, levels: &'n Levels, rank: Rank) -> &'n Sources {
        if let Some(known) = provider.sources.get() {
            return known;
        }
        let result = self.collect_sources(provider, levels, rank);
        provider.sources.get_or_init(|| result)
    }

    fn collect_sources(&self, provider: &Provider, levels: &Levels, rank: Rank) -> Sources {
        let mut files = IndexVec::new();
        let (mut locations, mut are_all) = (0, true);
        'levels: for (index, level) in levels.hierarchy.iter().enumerate() {
            locations += level.locations.len() as u64;
            for (position, location) in level.locations.iter().enumerate() {
                let is_file = match (&location.kind, &level.backend) {
                    (LocationKind::Path { exists: false, .. }, _) => continue,
                    (LocationKind::Path { .. }, Backend::File(_)) => level.options.is_empty() && !level.secret,
                    _ => false,
                };
                // An unreadable file ends the collection: the levels are then searched one by one, which reports the
                // error.
                let data = if is_file { self.data(provider, level, location).ok() } else { None };
                // Each part has 16 bits.
                let numbers = [index, position, level.locations.len(), levels.hierarchy.len() * 4 + rank as usize];
                let place = numbers
                    .into_iter()
                    .try_fold(0, |place, number| Some(place << 16 | u64::from(u16::try_from(number).ok()?)));
                let (Some(data), Some(place)) = (data, place) else {
                    are_all = false;
                    break 'levels;
                };
                let Some(data) = data else { continue };
                let source = Source { data: data.clone(), place, searched: locations, is_shared: data.mark_read() };
                // Too many files for a list are searched level by level, too.
                if files.push(source).is_err() {
                    are_all = false;
                    break 'levels;
                }
            }
        }
        Sources::new(files, locations, are_all, &self.shared.commons)
    }
}
