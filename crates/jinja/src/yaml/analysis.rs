//! In which styles a scalar can be written.

/// What was found out about a scalar.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    pub multiline: bool,
    pub flow_plain: bool,
    pub block_plain: bool,
    pub single_quoted: bool,
    pub block: bool,
}

/// Whether a character ends a line.
pub fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(letter: Option<&char>) -> bool {
    letter.is_none_or(|letter| is_break(*letter) || matches!(letter, '\0' | ' ' | '\t' | '\r'))
}

/// Whether a character is written as it is, which libyaml does not do with those outside of the basic plane.
pub fn is_printable(letter: char, unicode: bool) -> bool {
    let wide = matches!(letter, '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && letter != '\u{feff}';
    matches!(letter, '\n' | ' '..='~') || (unicode && wide)
}

/// Looks at a scalar.
pub fn analyze(text: &str, unicode: bool) -> Analysis {
    let letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return Analysis { multiline: false, flow_plain: false, block_plain: true, single_quoted: true, block: false };
    }
    let mut flow = text.starts_with("---") || text.starts_with("...");
    let mut block = flow;
    let (mut breaks, mut special, mut break_space, mut space_break) = (false, false, false, false);
    let mut preceded = true;
    let (mut after_space, mut after_break) = (false, false);
    for (at, letter) in letters.iter().enumerate() {
        let followed = is_blank(letters.get(at + 1));
        if at == 0 {
            if "#,[]{}&*!|>'\"%@`".contains(*letter) {
                flow = true;
                block = true;
            }
            if "?:".contains(*letter) {
                flow = true;
                block |= followed;
            }
            if *letter == '-' && followed {
                flow = true;
                block = true;
            }
        } else {
            if ",?[]{}".contains(*letter) {
                flow = true;
            }
            if *letter == ':' {
                flow = true;
                block |= followed;
            }
            if *letter == '#' && preceded {
                flow = true;
                block = true;
            }
        }
        breaks |= is_break(*letter);
        special |= !is_printable(*letter, unicode);
        if *letter == ' ' {
            break_space |= after_break;
            (after_space, after_break) = (true, false);
        } else if is_break(*letter) {
            space_break |= after_space;
            (after_space, after_break) = (false, true);
        } else {
            (after_space, after_break) = (false, false);
        }
        preceded = is_blank(Some(letter));
    }
    let edge = |letter: Option<&char>| letter.is_some_and(|letter| *letter == ' ' || is_break(*letter));
    let bare = !edge(letters.first()) && !edge(letters.last()) && !break_space && !space_break && !special && !breaks;
    Analysis {
        multiline: breaks,
        flow_plain: bare && !flow,
        block_plain: bare && !block,
        single_quoted: !break_space && !space_break && !special,
        block: letters.last() != Some(&' ') && !space_break && !special,
    }
}
