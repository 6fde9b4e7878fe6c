//! From characters to bytes: libyaml counts characters, texts are cut by bytes.

/// How many characters lie between two offsets that are remembered.
const STEP: usize = 64;

/// Finds the byte of a character.
pub(super) enum Offsets<'t> {
    /// Every character is a byte.
    Ascii(u32),
    /// The byte of every 64th character.
    Steps(&'t str, Vec<u32>),
}

impl<'t> Offsets<'t> {
    pub(super) fn new(text: &'t str) -> Offsets<'t> {
        if text.is_ascii() {
            return Offsets::Ascii(u32::try_from(text.len()).unwrap_or(u32::MAX));
        }
        let steps = text.char_indices().step_by(STEP);
        Offsets::Steps(text, steps.map(|(byte, _)| u32::try_from(byte).unwrap_or(u32::MAX)).collect())
    }

    /// The byte at which a character begins, or the end of the text.
    pub(super) fn byte(&self, character: u64) -> u32 {
        let character = usize::try_from(character).unwrap_or(usize::MAX);
        match self {
            Offsets::Ascii(length) => u32::try_from(character).unwrap_or(u32::MAX).min(*length),
            Offsets::Steps(text, steps) => {
                let Some(&from) = steps.get(character / STEP) else {
                    return u32::try_from(text.len()).unwrap_or(u32::MAX);
                };
                let rest = &text[from as usize..];
                let within = rest.char_indices().nth(character % STEP).map_or(rest.len(), |(byte, _)| byte);
                from + u32::try_from(within).unwrap_or(u32::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_found() {
        let text = "aä€😀".repeat(50);
        let offsets = Offsets::new(&text);
        for (index, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(offsets.byte(index as u64) as usize, byte);
        }
        assert_eq!(offsets.byte(10_000) as usize, text.len());
    }
}
