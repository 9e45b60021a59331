//! Formats of `printf`: what they read, and how much they write.

/// How many characters: not said, a number, or the value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// Not said.
    None,
    /// Written in the format.
    Given(u64),
    /// `*`.
    Argument,
}

/// How big the argument of a conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// `hh`.
    Char,
    /// `h`.
    Short,
    /// Nothing.
    Int,
    /// `l`.
    Long,
    /// `ll`, `j`.
    LongLong,
    /// `z`, `t`.
    Pointer,
    /// `L`.
    LongDouble,
}

/// What a conversion converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An integer in a base.
    Integer {
        /// `d` and `i`.
        signed: bool,
        /// 8, 10 or 16.
        base: u64,
    },
    /// `c`; with `l`, a wide character.
    Character,
    /// `s`; with `l`, of wide characters.
    Text,
    /// `p`.
    Pointer,
    /// `a`, `e`, `f`, `g`.
    Float,
    /// `n`.
    Count,
    /// glibc's `m`: what `errno` means.
    Error,
}

/// One directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// What it converts.
    pub(crate) kind: Kind,
    /// How big that is.
    pub(crate) size: Size,
    /// Fewer characters are filled up.
    pub(crate) width: Amount,
    /// Digits at least, or characters at most.
    pub(crate) precision: Amount,
    /// glibc's `'` or `I`, which depend on the locale.
    grouped: bool,
}

/// A format as it is read from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Format {
    /// The directives in order.
    pub(crate) conversions: Vec<Conversion>,
    /// Characters that are written as they stand.
    pub(crate) plain: u64,
}

impl Conversion {
    /// The least and the largest number of characters that this writes, if there is one, whatever the argument is. `text` is the length
    /// of the text that it writes, if that is known.
    pub(crate) fn length(&self, text: Option<u64>) -> (u64, Option<u64>) {
        let limit = match self.precision {
            Amount::Given(limit) => Some(limit),
            _ => None,
        };
        let (low, high) = match self.kind {
            Kind::Integer { signed, base } => self.integer_length(signed, base, limit),
            Kind::Character if self.size == Size::Long => (0, None),
            Kind::Character => (1, Some(1)),
            Kind::Text => match (text, self.precision) {
                (Some(length), Amount::None | Amount::Given(_)) => {
                    let length = limit.map_or(length, |limit| length.min(limit));
                    (length, Some(length))
                }
                (Some(length), Amount::Argument) => (0, Some(length)),
                // Wide characters become up to six bytes, or are an error.
                (None, _) => (0, limit),
            },
            // `(nil)` or a number after `0x`.
            Kind::Pointer => (3, Some(18)),
            Kind::Float => (1, None),
            Kind::Count => (0, Some(0)),
            Kind::Error => (0, None),
        };
        match self.width {
            Amount::None => (low, high),
            Amount::Given(width) => (low.max(width), high.map(|high| high.max(width))),
            Amount::Argument => (low, None),
        }
    }

    fn integer_length(&self, signed: bool, base: u64, digits: Option<u64>) -> (u64, Option<u64>) {
        let wide = !matches!(self.size, Size::Char | Size::Short | Size::Int);
        let most = match (base, wide) {
            (8, false) => 11,
            (8, true) => 22,
            (16, false) => 8,
            (16, true) => 16,
            (_, false) => 10,
            (_, true) => 20,
        };
        // A sign, or `0x`.
        let prefix = if signed { 1 } else { 2 };
        match (self.precision, self.grouped) {
            (Amount::None, false) => (1, Some(most + prefix)),
            (Amount::Given(_), false) => {
                let digits = digits.unwrap_or(0);
                (digits, Some(digits.max(most) + prefix))
            }
            _ => (0, None),
        }
    }
}

/// What an argument after the format is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A width or precision.
    Amount,
    /// It is converted, by the directive at this position; with the position of the argument that is its precision.
    Converted(usize, Option<usize>),
}

impl Format {
    /// What the arguments after the format are for, in order.
    pub(crate) fn uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for (position, conversion) in self.conversions.iter().enumerate() {
            if conversion.width == Amount::Argument {
                uses.push(Use::Amount);
            }
            let mut precision = None;
            if conversion.precision == Amount::Argument {
                precision = Some(uses.len());
                uses.push(Use::Amount);
            }
            if conversion.kind != Kind::Error {
                uses.push(Use::Converted(position, precision));
            }
        }
        uses
    }

    /// Reads a format; `None` if it is not one that C or glibc says the meaning of, or numbers its arguments.
    pub(crate) fn parse(characters: &[u32]) -> Option<Format> {
        let mut format = Format::default();
        let mut rest = characters;
        while let Some((&first, after)) = rest.split_first() {
            if first == 0 {
                break;
            }
            rest = after;
            if first != u32::from(b'%') {
                format.plain += 1;
                continue;
            }
            if rest.first() == Some(&u32::from(b'%')) {
                format.plain += 1;
                rest = &rest[1..];
                continue;
            }
            format.conversions.push(conversion(&mut rest)?);
        }
        Some(format)
    }
}

fn peek(rest: &[u32]) -> u8 {
    rest.first().and_then(|&character| u8::try_from(character).ok()).unwrap_or(0)
}

fn take(rest: &mut &[u32], wanted: &[u8]) -> bool {
    let fits = wanted.contains(&peek(rest)) && peek(rest) != 0;
    if fits {
        *rest = &rest[1..];
    }
    fits
}

fn number(rest: &mut &[u32]) -> Option<u64> {
    let mut value: u64 = 0;
    while peek(rest).is_ascii_digit() {
        value = value.checked_mul(10)?.checked_add(u64::from(peek(rest) - b'0'))?;
        *rest = &rest[1..];
    }
    // More than an `int` can count fails.
    (value < 1 << 31).then_some(value)
}

/// Reads what follows `%`.
fn conversion(rest: &mut &[u32]) -> Option<Conversion> {
    let mut grouped = false;
    while b"-+ #0'I".contains(&peek(rest)) {
        grouped |= b"'I".contains(&peek(rest));
        *rest = &rest[1..];
    }
    let width = if take(rest, b"*") {
        Amount::Argument
    } else if peek(rest).is_ascii_digit() {
        Amount::Given(number(rest)?)
    } else {
        Amount::None
    };
    let precision = if !take(rest, b".") {
        Amount::None
    } else if take(rest, b"*") {
        Amount::Argument
    } else {
        Amount::Given(number(rest)?)
    };
    let mut size = if take(rest, b"h") {
        if take(rest, b"h") { Size::Char } else { Size::Short }
    } else if take(rest, b"l") {
        if take(rest, b"l") { Size::LongLong } else { Size::Long }
    } else if take(rest, b"jq") {
        Size::LongLong
    } else if take(rest, b"zt") {
        Size::Pointer
    } else if take(rest, b"L") {
        Size::LongDouble
    } else {
        Size::Int
    };
    let letter = peek(rest);
    *rest = rest.get(1..)?;
    let kind = match letter {
        b'd' | b'i' => Kind::Integer { signed: true, base: 10 },
        b'u' => Kind::Integer { signed: false, base: 10 },
        b'o' => Kind::Integer { signed: false, base: 8 },
        b'x' | b'X' => Kind::Integer { signed: false, base: 16 },
        b'c' => Kind::Character,
        b's' => Kind::Text,
        b'C' | b'S' => {
            size = Size::Long;
            if letter == b'C' { Kind::Character } else { Kind::Text }
        }
        b'p' => Kind::Pointer,
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Kind::Float,
        b'n' => Kind::Count,
        b'm' => Kind::Error,
        _ => return None,
    };
    let known = match kind {
        // With `L`, glibc reads a `long long`.
        Kind::Integer { .. } | Kind::Count => size != Size::LongDouble,
        Kind::Character | Kind::Text => matches!(size, Size::Int | Size::Long),
        Kind::Float => matches!(size, Size::Int | Size::Long | Size::LongDouble),
        Kind::Pointer | Kind::Error => size == Size::Int,
    };
    known.then_some(Conversion { kind, size, width, precision, grouped })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Format> {
        Format::parse(&text.bytes().map(u32::from).collect::<Vec<_>>())
    }

    fn lengths(text: &str) -> (u64, Option<u64>) {
        parse(text).unwrap().conversions[0].length(None)
    }

    #[test]
    fn text_is_counted() {
        assert_eq!(parse("100%%\n").unwrap().plain, 5);
        assert_eq!(parse("").unwrap(), Format::default());
        assert_eq!(parse("ab\0%d").unwrap().plain, 2);
    }

    #[test]
    fn directives_are_read() {
        let format = parse("%-5.*ls %hhx%m").unwrap();
        let [text, number, error] = format.conversions[..] else { panic!("three directives") };
        assert_eq!((text.kind, text.size), (Kind::Text, Size::Long));
        assert_eq!((text.width, text.precision), (Amount::Given(5), Amount::Argument));
        assert_eq!((number.kind, number.size), (Kind::Integer { signed: false, base: 16 }, Size::Char));
        assert_eq!(error.kind, Kind::Error);
        assert_eq!(format.uses(), [Use::Amount, Use::Converted(0, Some(0)), Use::Converted(1, None)]);
        assert_eq!(parse("%.f").unwrap().conversions[0].precision, Amount::Given(0));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for text in ["%", "%5", "%y", "%1$d", "%hs", "%zs", "%lp", "%Ld", "%99999999999d", "%l"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn lengths_hold_for_every_argument() {
        assert_eq!(lengths("%d"), (1, Some(11)));
        assert_eq!(lengths("%lu"), (1, Some(22)));
        assert_eq!(lengths("%.0d"), (0, Some(11)));
        assert_eq!(lengths("%20d"), (20, Some(20)));
        assert_eq!(lengths("%*d"), (1, None));
        assert_eq!(lengths("%'d"), (0, None));
        assert_eq!(lengths("%3c"), (3, Some(3)));
        assert_eq!(lengths("%.2s"), (0, Some(2)));
        assert_eq!(lengths("%f"), (1, None));
        let text = parse("%.3s").unwrap().conversions[0];
        assert_eq!((text.length(Some(2)), text.length(Some(9))), ((2, Some(2)), (3, Some(3))));
    }
}
