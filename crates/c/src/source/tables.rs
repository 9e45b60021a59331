//! Long initialiser lists of plain integers, which the parser need not see.
//!
//! The parser takes microseconds and hundreds of bytes for each expression, and tables of numbers in generated programs have
//! millions of them. So a name stands for them in the text that is parsed, which nothing declares, and they are read here when the
//! initialiser is checked. What is no table beyond doubt stays in the text, errors included.

use lang_c::ast::{
    Constant, Designator, Expression, Identifier, Initializer, InitializerListItem, Integer, IntegerBase,
    IntegerSize, IntegerSuffix, RangeDesignator, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use std::collections::BTreeMap;

/// Shorter lists are left to the parser.
const SHORTEST: usize = 256;

/// Lists in lists in lists: what is nested deeper is left to the parser.
const DEEPEST: usize = 16;

/// What the parser sees between the braces.
const NAME: &str = "__aster_table";

/// Lists by the offset of the name that stands for them, with all the text between the braces and these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    lists: BTreeMap<usize, Table>,
}

#[derive(Clone, Debug)]
struct Table {
    text: Box<[u8]>,
    /// How many integers there are in it.
    count: usize,
}

impl Tables {
    /// Takes the tables out of a text without comments. Every offset in the text stays what it was.
    pub(crate) fn take(text: &mut String) -> Self {
        let mut tables = Tables::default();
        let mut bytes = std::mem::take(text).into_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match byte {
                b'"' | b'\'' => after_literal(&bytes, at),
                b'=' => {
                    let open = after_blanks(&bytes, at + 1);
                    let mut reader = Reader { bytes: &bytes, base: 0, at: open };
                    let count = reader.list(0, &mut |_| ());
                    let end = reader.at;
                    if let Some(count) = count.filter(|count| *count >= SHORTEST) {
                        let name = open + 1;
                        tables.lists.insert(name, Table { text: bytes[open..end].into(), count });
                        bytes[name..end - 1].fill(b' ');
                        bytes[name..name + NAME.len()].copy_from_slice(NAME.as_bytes());
                    }
                    // Where it stopped is no part of a table either way: nothing is looked at twice.
                    end.max(at + 1)
                }
                _ => at + 1,
            };
        }
        // Only ASCII is put in the place of ASCII.
        *text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        tables
    }

    /// The items of the table that these items stand for.
    pub(crate) fn items(&self, items: &[Item]) -> Option<TableItems<'_>> {
        let [Node { node: InitializerListItem { initializer, .. }, .. }] = items else { return None };
        let Initializer::Expression(expression) = &initializer.node else { return None };
        let name = expression.span.start;
        let table = self.lists.get(&name).filter(|_| matches!(expression.node, Expression::Identifier(_)))?;
        Some(TableItems { count: table.count, reader: Reader { bytes: &table.text, base: name - 1, at: 1 } })
    }
}

/// The items of a table, read one by one.
pub(crate) struct TableItems<'a> {
    /// How many integers there are in it.
    pub(crate) count: usize,
    reader: Reader<'a>,
}

impl Iterator for TableItems<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let (item, _) = self.reader.item(0)?;
        if self.reader.peek() == Some(b',') {
            self.reader.at += 1;
        }
        Some(item)
    }
}

fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The offset after a string or a character constant, or after its line where that does not end.
fn after_literal(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Reads tables. Every method gives `None` where the text is something else, and stays there.
struct Reader<'a> {
    bytes: &'a [u8],
    /// The offset of the first byte in the text that is parsed.
    base: usize,
    at: usize,
}

type Item = Node<InitializerListItem>;

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.at = after_blanks(self.bytes, self.at);
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, text: &[u8]) -> Option<()> {
        self.peek();
        self.bytes.get(self.at..)?.starts_with(text).then(|| self.at += text.len())
    }

    fn span(&self, start: usize) -> Span {
        Span::span(self.base + start, self.base + self.at)
    }

    /// One item, and the number of integers in it.
    fn item(&mut self, depth: usize) -> Option<(Item, usize)> {
        self.peek()?;
        let start = self.at;
        let designation = self.designation()?;
        let (initializer, integers) = self.initializer(depth)?;
        let item = InitializerListItem { designation, initializer: Box::new(initializer) };
        Some((Node::new(item, self.span(start)), integers))
    }

    /// A list with its braces. Gives the number of integers in it.
    fn list(&mut self, depth: usize, each: &mut dyn FnMut(Item)) -> Option<usize> {
        self.skip(b"{")?;
        let mut count = 0;
        while self.peek()? != b'}' {
            let (item, integers) = self.item(depth)?;
            count += integers;
            each(item);
            if self.peek()? != b',' {
                break;
            }
            self.at += 1;
        }
        self.skip(b"}")?;
        Some(count)
    }

    fn initializer(&mut self, depth: usize) -> Option<(Node<Initializer>, usize)> {
        let first = self.peek()?;
        let start = self.at;
        if first == b'{' {
            let mut items = Vec::new();
            let deeper = Some(depth + 1).filter(|depth| *depth < DEEPEST)?;
            let count = self.list(deeper, &mut |item| items.push(item))?;
            return Some((Node::new(Initializer::List(items), self.span(start)), count));
        }
        let value = if first == b'-' { self.negative()? } else { self.integer()? };
        Some((Node::new(Initializer::Expression(Box::new(value)), self.span(start)), 1))
    }

    fn negative(&mut self) -> Option<Node<Expression>> {
        let start = self.at;
        self.skip(b"-")?;
        let operator = Node::new(UnaryOperator::Minus, self.span(start));
        self.peek();
        let operand = Box::new(self.integer()?);
        let expression = UnaryOperatorExpression { operator, operand };
        let expression = Node::new(expression, self.span(start));
        Some(Node::new(Expression::UnaryOperator(Box::new(expression)), self.span(start)))
    }

    fn integer(&mut self) -> Option<Node<Expression>> {
        let start = self.at;
        let rest = self.bytes.get(start..)?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        // Of `1.5`, `1e+5` and `a_1` nothing is taken.
        if matches!(rest.get(length), Some(b'.' | b'_' | b'$' | b'\'' | b'"')) {
            return None;
        }
        let word = std::str::from_utf8(rest.get(..length)?).ok()?;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = suffix(&word[digits.len()..])?;
        let all = |digits: &str, is_digit: fn(&u8) -> bool| {
            !digits.is_empty() && digits.bytes().all(|it| is_digit(&it))
        };
        let (base, number) = match digits.strip_prefix('0') {
            Some("") => (IntegerBase::Decimal, digits),
            Some(rest) => match rest.strip_prefix(['x', 'X']) {
                Some(rest) if all(rest, u8::is_ascii_hexdigit) => (IntegerBase::Hexadecimal, rest),
                None if all(rest, |digit| (b'0'..=b'7').contains(digit)) => (IntegerBase::Octal, rest),
                _ => return None,
            },
            None if all(digits, u8::is_ascii_digit) => (IntegerBase::Decimal, digits),
            None => return None,
        };
        self.at += length;
        let span = self.span(start);
        let constant = Constant::Integer(Integer { base, number: number.into(), suffix });
        Some(Node::new(Expression::Constant(Box::new(Node::new(constant, span))), span))
    }

    fn designation(&mut self) -> Option<Vec<Node<Designator>>> {
        let mut designators = Vec::new();
        loop {
            let first = self.peek()?;
            let start = self.at;
            let designator = match first {
                b'[' => self.index()?,
                b'.' => self.member()?,
                _ => break,
            };
            designators.push(Node::new(designator, self.span(start)));
        }
        if !designators.is_empty() {
            self.skip(b"=")?;
            self.peek();
        }
        Some(designators)
    }

    fn index(&mut self) -> Option<Designator> {
        self.skip(b"[")?;
        self.peek();
        let start = self.at;
        let from = self.integer()?;
        let designator = match self.skip(b"...") {
            Some(()) => {
                self.peek();
                let to = self.integer()?;
                Designator::Range(Node::new(RangeDesignator { from, to }, self.span(start)))
            }
            None => Designator::Index(from),
        };
        self.skip(b"]")?;
        Some(designator)
    }

    fn member(&mut self) -> Option<Designator> {
        self.skip(b".")?;
        self.peek();
        let start = self.at;
        let rest = self.bytes.get(start..)?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = std::str::from_utf8(rest.get(..length)?).ok()?;
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.at += length;
        Some(Designator::Member(Node::new(Identifier { name: name.to_owned() }, self.span(start))))
    }
}

fn suffix(text: &str) -> Option<IntegerSuffix> {
    let lower = text.to_ascii_lowercase();
    let (unsigned, size) = match lower.as_str() {
        "" => (false, IntegerSize::Int),
        "u" => (true, IntegerSize::Int),
        "l" => (false, IntegerSize::Long),
        "ul" | "lu" => (true, IntegerSize::Long),
        "ll" => (false, IntegerSize::LongLong),
        "ull" | "llu" => (true, IntegerSize::LongLong),
        _ => return None,
    };
    // `lL` is no suffix.
    let mixed = text.contains("lL") || text.contains("Ll");
    (!mixed).then_some(IntegerSuffix { size, unsigned, imaginary: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lang_c::ast::{Declaration, ExternalDeclaration};
    use lang_c::driver::{Config, parse_preprocessed};

    /// The items of the first variable's initialiser, as the parser reads them.
    fn parsed(text: &str) -> Vec<Item> {
        let unit = parse_preprocessed(&Config::with_gcc(), text.to_owned()).unwrap().unit;
        let ExternalDeclaration::Declaration(Node { node: Declaration { declarators, .. }, .. }) =
            &unit.0[0].node
        else {
            panic!("a declaration is expected");
        };
        match &declarators[0].node.initializer.as_ref().unwrap().node {
            Initializer::List(items) => items.clone(),
            Initializer::Expression(_) => panic!("a list is expected"),
        }
    }

    /// Items with their places, but only where these start: for the parser, blanks belong to what is before them.
    fn shown(items: &[Item]) -> String {
        let text = format!("{items:?}");
        let parts =
            text.split('\u{2026}').map(|part| part.trim_start_matches(|byte: char| byte.is_ascii_digit()));
        parts.collect()
    }

    fn with_filling(items: &str) -> String {
        format!("int a[] = {{ {items}{} }};\n", ",7".repeat(SHORTEST))
    }

    #[test]
    fn tables_are_read_as_the_parser_reads_lists() {
        for items in [
            "1,2\n,3",
            "0, 00, 017, 0x1F, 0XaBcL, 12u, 12UL, 12LL, 12ull, 12LLU, 99999999999999999999",
            "- 5, -0x5, -1u",
            "[3] = 4, [0x10]=5, [2 ... 5] = 6, [ 1 ...2 ] = 7",
            "{1,2},{3,},{},{{4},5}",
            ".x = 1, . y = 2, .z.w[3] = { .v = 4 }",
        ] {
            let original = with_filling(items);
            let mut text = original.clone();
            let tables = Tables::take(&mut text);
            assert_eq!((text.len(), tables.lists.len()), (original.len(), 1), "{items}");
            assert!(!text.contains('7'), "{text}");
            let left = parsed(&text);
            let (found, expected) =
                (shown(&tables.items(&left).unwrap().collect::<Vec<_>>()), shown(&parsed(&original)));
            // All of it would be more than anybody reads.
            let end = found.len().min(expected.len()).min(2000);
            assert!(found == expected, "{items}\n{}\n{}", &found[..end], &expected[..end]);
        }
    }

    #[test]
    fn what_is_no_table_stays() {
        let quoted = format!("char *s = \"{}\";\n", with_filling("1"));
        let kept = [
            quoted.replace('\n', " "),
            "int a[] = { 1, 2, 3 };".to_owned(),
            with_filling("1.5"),
            with_filling("1e5"),
            with_filling("08"),
            with_filling("0x"),
            with_filling("1lL"),
            with_filling("0b1"),
            with_filling("1i"),
            with_filling("x"),
            with_filling("1_"),
            with_filling("1 + 1"),
            with_filling("(1)"),
            with_filling("1,,2"),
            with_filling("- - 1"),
            with_filling("[1] 2"),
            with_filling("[1,2] = 2"),
            with_filling("\"text\""),
            with_filling("'a'"),
            with_filling("1}"),
            with_filling(&format!("{}1{}", "{".repeat(DEEPEST), "}".repeat(DEEPEST))),
            with_filling("1").replace('}', ""),
            with_filling("1").replace('=', "=="),
        ];
        for original in kept {
            let mut text = original.clone();
            let tables = Tables::take(&mut text);
            let is_kept = text == original && tables.lists.is_empty();
            // `==` is no initialiser, but the parser says so either way.
            assert!(is_kept || original.contains("=="), "{original}");
        }
    }
}
