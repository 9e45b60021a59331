//! `#pragma pack`: how far structures are packed at a point of the text.

/// A pragma that changes the layout of structures after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LayoutPragma {
    /// Where it is in the prepared text.
    pub(crate) offset: usize,
    /// What it says, without `#pragma`.
    pub(crate) text: String,
}

/// What a structure has to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Members have their natural alignment.
    Natural,
    /// No member is aligned to more than this many bytes.
    AtMost(u64),
    /// A pragma was not understood.
    Unknown,
}

/// The packing that holds at an offset.
pub(crate) fn packing_at(pragmas: &[LayoutPragma], offset: usize) -> Packing {
    let mut current = Packing::Natural;
    let mut saved = Vec::new();
    for pragma in pragmas.iter().take_while(|pragma| pragma.offset <= offset) {
        let text: String = pragma.text.chars().filter(|c| !c.is_whitespace()).collect();
        let Some(inside) = text.strip_prefix("pack(").and_then(|rest| rest.strip_suffix(')')) else {
            return Packing::Unknown;
        };
        for word in inside.split(',') {
            match word {
                "" => current = Packing::Natural,
                "push" => saved.push(current),
                "pop" => current = saved.pop().unwrap_or(Packing::Natural),
                _ => match word.parse() {
                    Ok(0) => current = Packing::Natural,
                    Ok(bytes) if u64::is_power_of_two(bytes) && bytes <= 16 => {
                        current = Packing::AtMost(bytes);
                    }
                    _ => return Packing::Unknown,
                },
            }
        }
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_nest() {
        let texts =
            ["pack(push, 4)", "pack(push,1)", "pack(pop)", "pack( )", "pack(pop)", "options align=packed"];
        let pragmas: Vec<LayoutPragma> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| LayoutPragma { offset: 10 * index, text: (*text).to_owned() })
            .collect();
        let found: Vec<Packing> = (0..6).map(|index| packing_at(&pragmas, 10 * index + 5)).collect();
        let expected = [
            Packing::AtMost(4),
            Packing::AtMost(1),
            Packing::AtMost(4),
            Packing::Natural,
            Packing::Natural,
            Packing::Unknown,
        ];
        assert_eq!(found, expected);
    }
}
