//! Values as people and tools read them.

use aster_cfa::{Precision, Presentation, Program};
use aster_term::{ArrayValue, BitVec, FloatFormat, Sort, Value, show_float, show_hexadecimal_float};
use serde::Serialize;

/// Numbers from this size on are shown in hexadecimal too.
const LARGE: u128 = 1 << 20;
/// How many entries of an array are shown.
const MAX_ENTRIES: usize = 8;

/// A value in the forms that readers need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownValue {
    /// For people: `-5`, `97 'a'`, `4294967295 (0xffffffff)`, `0.1 (0x1.99999ap-4)`.
    pub text: String,
    /// For tools.
    pub value: PlainValue,
    /// The name of the source type.
    #[serde(rename = "type")]
    pub type_name: String,
}

/// A value for tools. Numbers are strings in decimal, because those of JSON are often too small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PlainValue {
    /// The number, read as the source type reads it; floating-point numbers as `aster run` takes them.
    Number(String),
    /// Some elements of an array.
    Array {
        /// The element at all other indices.
        default: String,
        /// Index and element.
        cells: Vec<(String, String)>,
    },
}

/// How a value of the running program is shown: like [`show_value`], but addresses of variables by name.
pub(crate) fn show_named(program: &Program, value: &Value, presentation: &Presentation) -> ShownValue {
    let mut shown = show_value(value, presentation);
    if let (Presentation::Pointer(_), Value::BitVec(bits)) = (presentation, value)
        && let Some(place) = program.place_at(bits.unsigned(), Precision::Outermost)
    {
        shown.text = format!("&{place}");
    }
    shown
}

/// How some cells of memory are shown: by the name of their place if it has one, else with their address.
pub(crate) fn show_cells(
    program: &Program,
    array: &ArrayValue,
    cells: &[u128],
    presentation: &Presentation,
) -> ShownValue {
    let Sort::Array { index, .. } = array.sort() else { return show_array(array, type_name(presentation)) };
    let element = |at: u128| array.select(BitVec::new(index, at)).unsigned();
    let place = |at: u128| program.place_at(at, Precision::Innermost).unwrap_or_else(|| format!("[{at:#x}]"));
    let mut parts: Vec<String> =
        cells.iter().take(MAX_ENTRIES).map(|&at| format!("{} = {}", place(at), element(at))).collect();
    if cells.len() > MAX_ENTRIES {
        parts.push(format!("... {} more", cells.len() - MAX_ENTRIES));
    }
    let value = PlainValue::Array {
        default: array.default_element().unsigned().to_string(),
        cells: cells.iter().map(|&at| (at.to_string(), element(at).to_string())).collect(),
    };
    ShownValue { text: parts.join(", "), value, type_name: type_name(presentation) }
}

fn show_array(array: &ArrayValue, type_name: String) -> ShownValue {
    let entries: Vec<(u128, u128)> = array
        .entries()
        .take(MAX_ENTRIES)
        .map(|(index, element)| (index.unsigned(), element.unsigned()))
        .collect();
    let default = array.default_element().unsigned();
    let mut parts: Vec<String> =
        entries.iter().map(|(index, element)| format!("[{index}] = {element}")).collect();
    if array.entries().nth(MAX_ENTRIES).is_some() {
        parts.push("...".into());
    }
    parts.push(format!("else {default}"));
    let cells = entries.iter().map(|(index, element)| (index.to_string(), element.to_string())).collect();
    let value = PlainValue::Array { default: default.to_string(), cells };
    ShownValue { text: format!("{{{}}}", parts.join(", ")), value, type_name }
}

/// How a value of the source type is shown.
pub fn show_value(value: &Value, presentation: &Presentation) -> ShownValue {
    let type_name = type_name(presentation);
    match value {
        Value::Bool(value) => {
            let text = if *value { "1" } else { "0" };
            ShownValue { text: text.into(), value: PlainValue::Number(text.into()), type_name }
        }
        Value::BitVec(bits) => show_bits(*bits, presentation, type_name),
        Value::Array(array) => show_array(array, type_name),
    }
}

fn type_name(presentation: &Presentation) -> String {
    match presentation {
        Presentation::Signed(name)
        | Presentation::Unsigned(name)
        | Presentation::Pointer(name)
        | Presentation::Float(name)
        | Presentation::Raw(name) => name.clone(),
        Presentation::Bool => "_Bool".into(),
    }
}

/// The shortest decimal number that stands for the same bits, and the exact number in hexadecimal.
fn show_number(format: FloatFormat, bits: BitVec, type_name: String) -> ShownValue {
    let decimal = show_float(format, bits);
    let text = match show_hexadecimal_float(format, bits) {
        // Zeros and small integers are read off at once.
        Some(hexadecimal) if !(decimal.ends_with(".0") && decimal.len() <= 8) => {
            format!("{decimal} ({hexadecimal})")
        }
        _ => decimal.clone(),
    };
    ShownValue { text, value: PlainValue::Number(decimal), type_name }
}

fn show_bits(bits: BitVec, presentation: &Presentation, type_name: String) -> ShownValue {
    if let (Presentation::Float(_), Some(format)) = (presentation, FloatFormat::of_width(bits.width())) {
        return show_number(format, bits, type_name);
    }
    let (number, magnitude) = match presentation {
        Presentation::Signed(_) => (bits.signed().to_string(), bits.signed().unsigned_abs()),
        _ => (bits.unsigned().to_string(), bits.unsigned()),
    };
    let hexadecimal = format!("{:#x}", bits.unsigned());
    let text = match presentation {
        Presentation::Pointer(_) | Presentation::Float(_) | Presentation::Raw(_) => hexadecimal,
        Presentation::Bool => number.clone(),
        Presentation::Signed(name) | Presentation::Unsigned(name) => {
            if is_character(name, bits.width()) {
                match character(bits.unsigned()) {
                    Some(character) => format!("{number} {character}"),
                    None => number.clone(),
                }
            } else if magnitude >= LARGE {
                format!("{number} ({hexadecimal})")
            } else {
                number.clone()
            }
        }
    };
    ShownValue { text, value: PlainValue::Number(number), type_name }
}

fn is_character(type_name: &str, width: u32) -> bool {
    width == 8 && type_name.split_whitespace().any(|word| word == "char")
}

/// The character as C spells it, if it has a readable spelling.
fn character(code: u128) -> Option<String> {
    let code = u8::try_from(code).ok().filter(u8::is_ascii)?;
    Some(match code {
        b'\n' => "'\\n'".into(),
        b'\t' => "'\\t'".into(),
        b'\r' => "'\\r'".into(),
        0 => "'\\0'".into(),
        b'\'' => "'\\''".into(),
        b'\\' => "'\\\\'".into(),
        b' '..=b'~' => format!("'{}'", char::from(code)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(width: u32, value: i128, presentation: Presentation) -> String {
        show_value(&Value::BitVec(BitVec::from_signed(width, value)), &presentation).text
    }

    #[test]
    fn numbers_are_read_as_their_type_reads_them() {
        let signed = || Presentation::Signed("int".into());
        let unsigned = || Presentation::Unsigned("unsigned int".into());
        assert_eq!(text(32, -5, signed()), "-5");
        assert_eq!(text(32, -5, unsigned()), "4294967291 (0xfffffffb)");
        assert_eq!(text(32, i128::from(i32::MIN), signed()), "-2147483648 (0x80000000)");
        assert_eq!(text(32, 1000, unsigned()), "1000");
        assert_eq!(text(128, -1, unsigned()), format!("{} ({:#x})", u128::MAX, u128::MAX));
    }

    #[test]
    fn characters_are_spelled() {
        let signed = || Presentation::Signed("char".into());
        assert_eq!(text(8, 97, signed()), "97 'a'");
        assert_eq!(text(8, 10, signed()), "10 '\\n'");
        assert_eq!(text(8, 0, signed()), "0 '\\0'");
        assert_eq!(text(8, -1, signed()), "-1");
        assert_eq!(text(8, 39, Presentation::Unsigned("unsigned char".into())), "39 '\\''");
        assert_eq!(text(32, 97, Presentation::Signed("int".into())), "97");
    }

    #[test]
    fn truth_values_pointers_and_bits() {
        assert_eq!(text(8, 1, Presentation::Bool), "1");
        assert_eq!(show_value(&Value::Bool(true), &Presentation::Bool).text, "1");
        assert_eq!(text(64, 4096, Presentation::Pointer("int *".into())), "0x1000");
        let shown = show_value(&Value::BitVec(BitVec::new(64, 4096)), &Presentation::Raw("float".into()));
        assert_eq!((shown.text.as_str(), shown.value), ("0x1000", PlainValue::Number("4096".into())));
        assert_eq!(shown.type_name, "float");
    }

    #[test]
    fn arrays_are_cut() {
        let mut array = ArrayValue::constant(8, BitVec::new(8, 0));
        for i in 0..9 {
            array = array.store(BitVec::new(8, i), BitVec::new(8, 7));
        }
        let text = show_value(&Value::Array(array), &Presentation::Raw("char[]".into())).text;
        assert!(text.starts_with("{[0] = 7, [1] = 7,"), "{text}");
        assert!(text.ends_with("[7] = 7, ..., else 0}"), "{text}");
    }
}
