//! Pragmas that say how structures are laid out at a point of the text, and those that name symbols.

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

/// `#pragma weak name` and `#pragma weak name = target`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WeakPragma {
    /// What is weak.
    pub(crate) name: String,
    /// What it is another name of.
    pub(crate) target: Option<String>,
}

impl WeakPragma {
    /// Reads what follows `weak`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_name = |word: &str| {
            !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
        };
        let (name, target) = match text.split_once('=') {
            Some((name, target)) => (name.trim(), Some(target.trim())),
            None => (text.trim(), None),
        };
        let fits = is_name(name) && target.is_none_or(is_name);
        fits.then(|| WeakPragma { name: name.to_owned(), target: target.map(str::to_owned) })
    }
}

/// The order of the bytes of scalars in structures that is asked for at an offset: true if the most significant
/// one comes first. `None` if a pragma was not understood.
pub(crate) fn big_endian_at(pragmas: &[LayoutPragma], offset: usize) -> Option<bool> {
    let before = pragmas.iter().take_while(|pragma| pragma.offset <= offset);
    let order = before.filter_map(|pragma| pragma.text.trim().strip_prefix("scalar_storage_order")).last();
    match order.map(str::trim) {
        None | Some("default" | "little-endian") => Some(false),
        Some("big-endian") => Some(true),
        Some(_) => None,
    }
}

/// The packing that holds at an offset.
pub(crate) fn packing_at(pragmas: &[LayoutPragma], offset: usize) -> Packing {
    let mut current = Packing::Natural;
    let mut saved = Vec::new();
    for pragma in pragmas.iter().take_while(|pragma| pragma.offset <= offset) {
        let text: String = pragma.text.chars().filter(|c| !c.is_whitespace()).collect();
        if text.starts_with("scalar_storage_order") {
            continue;
        }
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
    fn the_last_order_counts() {
        let texts = ["scalar_storage_order big-endian", "pack(1)", "scalar_storage_order default"];
        let pragmas: Vec<LayoutPragma> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| LayoutPragma { offset: 10 * index, text: (*text).to_owned() })
            .collect();
        let found: Vec<_> = (0..3).map(|index| big_endian_at(&pragmas, 10 * index + 5)).collect();
        assert_eq!(found, [Some(true), Some(true), Some(false)]);
        assert_eq!(packing_at(&pragmas, 25), Packing::AtMost(1));
    }

    #[test]
    fn weak_pragmas_name_one_or_two_symbols() {
        let parsed = |text| WeakPragma::parse(text).map(|it| (it.name, it.target));
        assert_eq!(parsed(" f"), Some(("f".to_owned(), None)));
        assert_eq!(parsed(" f = g "), Some(("f".to_owned(), Some("g".to_owned()))));
        assert_eq!(parsed(" f g"), None);
        assert_eq!(parsed(""), None);
    }

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
