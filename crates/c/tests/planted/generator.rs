//! Random programs that do something wrong once in a while: with memory of every kind, with text, with lists, with
//! arithmetic. Nothing asks for inputs and nothing reads what was not written, so that a run is the same everywhere; accesses miss
//! their object by so little that the sanitizers' guard zones catch them.

use crate::random::Random;
use std::fmt::Write;

/// What comes before the function of a program: the same lines for all of them.
pub const PRELUDE: &str = include_str!("prelude.c");

/// Types of elements.
const KINDS: [&str; 6] = ["char", "unsigned char", "short", "int", "long long", "struct record"];

/// Where an object is, which says who ends its life.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    Heap,
    /// A variable or compound literal of a block.
    Block,
    /// An array of variable length or memory of `alloca`: the sanitizers do not see its end.
    Unwatched,
    Static,
    /// A string literal, or a static object that is constant.
    Constant,
}

struct Object {
    /// The pointer to its first element.
    pointer: String,
    kind: &'static str,
    count: usize,
    storage: Storage,
    alive: bool,
    /// The length of the text in it, if there is one for certain.
    text: Option<usize>,
}

impl Object {
    fn is_text(&self) -> bool {
        self.kind == "char"
    }
}

/// The function `caseN` that belongs to a seed.
pub fn function(seed: u64) -> String {
    let mut case = Case {
        random: Random::new(seed),
        objects: Vec::new(),
        declarations: String::new(),
        body: String::new(),
        fresh: 0,
        depth: 1,
        has_alloca: false,
    };
    case.has_alloca = case.random.one_in(2);
    case.variables();
    for _ in 0..3 + case.random.below(3) {
        case.create();
    }
    for _ in 0..4 + case.random.below(8) {
        case.statement();
    }
    case.end();
    format!("static int case{seed}(void)\n{{\n{}{}}}\n", case.declarations, case.body)
}

struct Case {
    random: Random,
    objects: Vec<Object>,
    declarations: String,
    body: String,
    fresh: usize,
    depth: usize,
    /// `alloca` and arrays of variable length do not go together in one function.
    has_alloca: bool,
}

impl Case {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{:1$}{text}", "", self.depth * 4);
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn risk(&mut self) -> bool {
        self.random.one_in(9)
    }

    fn variables(&mut self) {
        for (kind, name) in NUMBERS {
            let value = self.random.pick(&[
                "0",
                "1",
                "2",
                "-1",
                "-2",
                "7",
                "31",
                "32",
                "33",
                "100",
                "-128",
                "127",
                "32767",
                "2147483647",
                "(-2147483647 - 1)",
                "2147483640",
                "65536",
                "1073741824",
                "46341",
            ]);
            let _ = writeln!(self.declarations, "    {kind} {name} = {value};");
        }
    }

    fn statement(&mut self) {
        match self.random.below(24) {
            0..=5 => self.within(Case::access),
            6..=8 => self.within(Case::text),
            9..=13 => self.within(Case::arithmetic),
            14 | 15 => self.create(),
            16 | 17 => self.within(Case::free),
            18 => self.reallocate(),
            19 => self.within(Case::bytes),
            20 | 21 => self.block(),
            22 => self.list(),
            _ => self.special(),
        }
    }

    /// A statement within others that are executed once.
    fn within(&mut self, statement: fn(&mut Case)) {
        let (before, after) = match self.random.below(12) {
            0 => ("if (one) {", "}"),
            1 => ("for (int k = 0; k < one; k++) {", "}"),
            2 => ("do {", "} while (!one);"),
            3 => ("switch (one) { case 0: sink++; break; default:", "}"),
            4 => ("while (one) {", "break; }"),
            5 => ("{", "}"),
            _ => return statement(self),
        };
        self.line(before);
        self.depth += 1;
        statement(self);
        self.depth -= 1;
        self.line(after);
    }

    fn declare_pointer(&mut self, kind: &str) -> String {
        let pointer = self.name("p");
        let _ = writeln!(self.declarations, "    {kind} *{pointer} = 0;");
        pointer
    }

    /// A new object: everything in it is zero.
    fn create(&mut self) {
        let kind = KINDS[self.random.below(KINDS.len())];
        let count = match kind {
            "struct record" => 1 + self.random.below(3),
            _ => 1 + self.random.below(12),
        };
        let pointer = self.declare_pointer(kind);
        let array = self.name("a");
        let mut text = Some(0);
        let mut count = count;
        let storage = match self.random.below(14) {
            0..=3 => {
                self.line(&format!("{pointer} = malloc({count} * sizeof({kind}));"));
                self.line(&format!("memset({pointer}, 0, {count} * sizeof({kind}));"));
                Storage::Heap
            }
            4 | 5 => {
                self.line(&format!("{pointer} = calloc({count}, sizeof({kind}));"));
                Storage::Heap
            }
            6..=8 => {
                self.line(&format!("{kind} {array}[{count}] = {{0}};"));
                self.line(&format!("{pointer} = {array};"));
                Storage::Block
            }
            9 => {
                self.line(&format!("{pointer} = ({kind}[{count}]){{0}};"));
                Storage::Block
            }
            10 => {
                if self.has_alloca {
                    self.line(&format!("{pointer} = __builtin_alloca({count} * sizeof({kind}));"));
                } else {
                    self.line(&format!("{kind} {array}[{count} * one];"));
                    self.line(&format!("{pointer} = {array};"));
                }
                self.line(&format!("memset({pointer}, 0, {count} * sizeof({kind}));"));
                Storage::Unwatched
            }
            11 => {
                self.line(&format!("static {kind} {array}[{count}];"));
                self.line(&format!("{pointer} = {array};"));
                Storage::Static
            }
            12 if kind == "char" => {
                let length = self.random.below(7);
                self.line(&format!("{pointer} = \"{}\";", &"aster!!"[..length]));
                (text, count) = (Some(length), length + 1);
                Storage::Constant
            }
            12 => {
                self.line(&format!("static const {kind} {array}[{count}] = {{0}};"));
                self.line(&format!("{pointer} = ({kind} *){array};"));
                Storage::Constant
            }
            _ if kind == "char" && count > 1 => {
                let length = self.random.below(count);
                self.line(&format!("char {array}[{count}] = \"{}\";", &"abcdefghijklmnop"[..length]));
                self.line(&format!("{pointer} = {array};"));
                text = Some(length);
                Storage::Block
            }
            _ => {
                self.line(&format!("{pointer} = aligned_zeros({count} * sizeof({kind}));"));
                Storage::Heap
            }
        };
        self.objects.push(Object { pointer, kind, count, storage, alive: true, text });
    }

    /// An object, alive unless something is to go wrong.
    fn object(&mut self, suits: impl Fn(&Object) -> bool) -> Option<usize> {
        let dead_too = self.risk();
        let usable = |object: &Object| {
            suits(object) && (object.alive || dead_too && object.storage != Storage::Unwatched)
        };
        let found: Vec<usize> =
            (0..self.objects.len()).filter(|index| usable(&self.objects[*index])).collect();
        (!found.is_empty()).then(|| found[self.random.below(found.len())])
    }

    /// An index of the object's elements, or one that just misses them.
    fn index(&mut self, object: usize) -> i64 {
        let misses = self.risk();
        let object = &self.objects[object];
        let guarded_below = !matches!(object.storage, Storage::Static | Storage::Constant);
        match misses {
            true if guarded_below && self.random.one_in(3) => -1,
            true => object.count as i64,
            false => self.random.below(object.count) as i64,
        }
    }

    fn access(&mut self) {
        let writes = self.random.one_in(2);
        let risk = self.risk();
        let Some(chosen) = self.object(|object| !writes || risk || object.storage != Storage::Constant)
        else {
            return;
        };
        let index = self.index(chosen);
        let Object { pointer, kind, .. } = &self.objects[chosen];
        let (pointer, kind) = (pointer.clone(), *kind);
        let form = self.random.below(6);
        let element = match form {
            0 => format!("*({pointer} + {index})"),
            1 => format!("({index})[{pointer}]"),
            2 => format!("(&{pointer}[{index}])[0]"),
            3 => {
                let other = self.declare_pointer(kind);
                let shift = self.random.below(3) as i64;
                self.line(&format!("{other} = {pointer} + {};", index - shift));
                format!("{other}[{shift}]")
            }
            4 => format!("{pointer}[{index} * one]"),
            _ => format!("{pointer}[{index}]"),
        };
        let value = 1 + self.random.below(120);
        if kind == "struct record" {
            // The member that is nearest to the object.
            let member = if index < 0 { "total" } else { "number" };
            return match writes {
                true => self.line(&format!("({element}).{member} = {value};")),
                false => self.line(&format!("sink = sink * 31 + (unsigned long long)({element}).{member};")),
            };
        }
        let suffix = kind.replace(' ', "_");
        match (writes, self.random.below(4)) {
            (true, 0) => self.line(&format!("put_{suffix}({pointer}, {index}, {value});")),
            (true, 1) => self.line(&format!("{element} += 3;")),
            (true, 2) => self.line(&format!("{element} ^= {value};")),
            (true, _) => self.line(&format!("{element} = {value};")),
            (false, 0) => self.line(&format!("sink = sink * 31 + get_{suffix}({pointer}, {index});")),
            (false, 1) => self.line(&format!("if ({element} > 3) sink++;")),
            (false, 2) => {
                self.line(&format!("switch ({element}) {{ case 0: sink += 5; break; default: sink += 7; }}"))
            }
            (false, _) => self.line(&format!("sink = sink * 31 + (unsigned long long){element};")),
        }
        if writes {
            self.objects[chosen].text = None;
        }
    }

    /// An object with text in it, which is written where it is not known what is there.
    fn with_text(&mut self) -> Option<usize> {
        let chosen = self.object(Object::is_text)?;
        if self.objects[chosen].text.is_none() {
            let pointer = self.objects[chosen].pointer.clone();
            let ends = !self.risk();
            let count = self.objects[chosen].count;
            let length = self.random.below(count);
            self.line(&format!("memset({pointer}, 'x', {count});"));
            if ends {
                self.line(&format!("{pointer}[{length}] = 0;"));
            }
            self.objects[chosen].text = Some(if ends { length } else { count });
        }
        Some(chosen)
    }

    fn text(&mut self) {
        let (Some(from), Some(other)) = (self.with_text(), self.with_text()) else { return };
        let (source, length) = (self.objects[from].pointer.clone(), self.objects[from].text.unwrap_or(0));
        let beside = self.objects[other].pointer.clone();
        match self.random.below(16) {
            0 => self.line(&format!("sink += strlen({source});")),
            1 => self.line(&format!("sink += strcmp({source}, {beside}) < 0;")),
            2 => self.line(&format!("sink += strncmp({source}, {beside}, {}) > 0;", length + 1)),
            3 => self.line(&format!("sink += strchr({source}, 'e') != 0;")),
            4 => self.line(&format!("puts({source});")),
            5 => self.line(&format!("printf(\"%d %s\\n\", one, {source});")),
            6 => self.line(&format!("sink += atoi({source});")),
            7 => self.line(&format!("sink += strstr({source}, \"st\") != 0;")),
            8 => {
                let copy = self.declare_pointer("char");
                self.line(&format!("{copy} = strdup({source});"));
                self.objects.push(Object {
                    pointer: copy,
                    kind: "char",
                    count: length + 1,
                    storage: Storage::Heap,
                    alive: true,
                    text: Some(length),
                });
            }
            9 => self.line(&format!("sink += strrchr({source}, 't') != 0;")),
            10 => self.line(&format!("sink += strnlen({source}, {});", length + 1)),
            _ => self.copy_text(from, other),
        }
    }

    /// Text copied from one object to another, mostly where it fits.
    fn copy_text(&mut self, from: usize, to: usize) {
        let length = self.objects[from].text.unwrap_or(0);
        let Object { pointer: target, count, storage, text, .. } = &self.objects[to];
        let (target, count, before) = (target.clone(), *count, text.unwrap_or(0));
        let source = self.objects[from].pointer.clone();
        if from == to || *storage == Storage::Constant && !self.risk() {
            return;
        }
        let appends = self.random.one_in(3);
        let end = if appends { before + length } else { length };
        // Something that goes too far must end within the guard zone.
        if end >= count + 8 || end >= count && !self.random.one_in(3) {
            return;
        }
        let (call, end) = match (appends, self.random.below(3)) {
            (true, 0) => (format!("strncat({target}, {source}, {length});"), end),
            (true, _) => (format!("strcat({target}, {source});"), end),
            (false, 0) => (format!("strncpy({target}, {source}, {});", length + 1), end),
            (false, 1) => (format!("memcpy({target}, {source}, {});", length + 1), end),
            (false, _) => (format!("strcpy({target}, {source});"), end),
        };
        self.line(&call);
        self.objects[to].text = Some(end);
    }

    /// Functions on bytes, with whole elements.
    fn bytes(&mut self) {
        let Some(chosen) = self.object(|object| object.storage != Storage::Constant) else { return };
        let kind = self.objects[chosen].kind;
        let Some(other) = self.object(|object| object.kind == kind) else { return };
        let (left, right) = (&self.objects[chosen], &self.objects[other]);
        let (target, source) = (left.pointer.clone(), right.pointer.clone());
        let (whole, both) = (left.count, left.count.min(right.count));
        let more = usize::from(self.risk());
        let size = |count: usize| format!("{} * sizeof({kind})", count + more);
        let (whole, both) = (size(whole), size(both));
        match self.random.below(5) {
            0 => self.line(&format!("memset({target}, {}, {whole});", self.fresh % 100)),
            1 if chosen != other => self.line(&format!("memcpy({target}, {source}, {both});")),
            2 => self.line(&format!("memmove({target}, {source}, {both});")),
            3 => return self.line(&format!("sink += memcmp({target}, {source}, {both}) == 0;")),
            4 => return self.line(&format!("sink += memchr({target}, 127, {whole}) != 0;")),
            _ => return,
        }
        self.objects[chosen].text = None;
    }

    fn free(&mut self) {
        let wrong = self.risk();
        // (The allocator of the sanitizers writes before what is freed, which fails in another way beside constants.)
        let may_be = |object: &Object| match object.storage {
            Storage::Heap => true,
            Storage::Constant => false,
            _ => wrong,
        };
        let Some(chosen) = self.object(may_be) else { return };
        let Object { pointer, storage, count, .. } = &self.objects[chosen];
        let middle =
            if *storage == Storage::Heap && *count > 1 && self.random.one_in(12) { " + 1" } else { "" };
        let call = format!("free({pointer}{middle});");
        self.line(&call);
        self.objects[chosen].alive = false;
    }

    fn reallocate(&mut self) {
        let Some(chosen) = self.object(|object| object.storage == Storage::Heap) else { return };
        let count = 1 + self.random.below(12);
        let Object { pointer, kind, count: before, text, .. } = &self.objects[chosen];
        let (pointer, kind, before) = (pointer.clone(), *kind, *before);
        let text = text.filter(|length| *length < count);
        let moved = self.declare_pointer(kind);
        self.line(&format!("{moved} = realloc({pointer}, {count} * sizeof({kind}));"));
        if count > before {
            self.line(&format!("memset({moved} + {before}, 0, {} * sizeof({kind}));", count - before));
        }
        self.objects[chosen].alive = false;
        self.objects.push(Object { pointer: moved, kind, count, storage: Storage::Heap, alive: true, text });
    }

    /// A block with objects of its own, which others may point to afterwards.
    fn block(&mut self) {
        let first = self.objects.len();
        self.line("{");
        self.depth += 1;
        self.create();
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(3) {
                0 => self.access(),
                1 => self.text(),
                _ => self.arithmetic(),
            }
        }
        self.depth -= 1;
        self.line("}");
        for object in &mut self.objects[first..] {
            let ends =
                object.storage == Storage::Block || object.storage == Storage::Unwatched && !self.has_alloca;
            object.alive &= !ends;
        }
    }

    /// A list that is built, summed up and freed, well or badly.
    fn list(&mut self) {
        let length = self.random.below(4);
        let (head, rounds) = (self.name("list"), length + usize::from(self.risk()));
        self.line(&format!("struct node *{head} = build({length});"));
        self.line(&format!("for (struct node *n = {head}; n; n = n->next) sink += n->value;"));
        if self.risk() {
            self.line(&format!("for (int k = 0; k < {}; k++) {head} = unlink_first({head});", length + 1));
        } else if self.risk() {
            self.line(&format!("while ({head}) {{"));
            self.line(&format!("    free({head});"));
            self.line(&format!("    {head} = {head}->next;"));
            self.line("}");
        } else if self.risk() {
            self.line(&format!("while ({head} && {head}->next) {head} = unlink_first({head});"));
        } else if rounds > length {
            self.line(&format!("{head} = cut({head}, {rounds});"));
        } else {
            self.line(&format!("while ({head}) {head} = unlink_first({head});"));
        }
    }

    fn special(&mut self) {
        if !self.risk() {
            let Some(chosen) = self.object(|object| object.storage == Storage::Heap && object.alive) else {
                return;
            };
            let line = format!("keeper = {};", self.objects[chosen].pointer);
            return self.line(&line);
        }
        let line = self.random.pick(&[
            "sink += *stack_address();",
            "sink += *(one ? (int *)0 : &one);",
            "sink += ((struct record *)0)->number;",
            "sink += strlen((char *)0);",
            "memset((char *)0, 0, one);",
            "free(&one);",
            "free(0);",
            "*(int *)\"text of sixteen.\" = 4;",
        ]);
        self.line(line);
    }

    /// Arithmetic on numbers as large as types allow, or on small ones.
    fn arithmetic(&mut self) {
        let variable = |case: &mut Case| NUMBERS[case.random.below(NUMBERS.len())].1;
        let (mut target, left, right) = (variable(self), variable(self), variable(self));
        let small = |name: &str| format!("({name} & 127)");
        let (a, b) = match self.random.one_in(3) {
            true => {
                // The compiler calculates with fewer bits where the result is cut off, before the sanitizers see it.
                target = if ["h", "c"].contains(&target) { "w" } else { target };
                (left.to_owned(), right.to_owned())
            }
            false => (small(left), small(right)),
        };
        let far = if self.random.one_in(4) { "63" } else { "15" };
        let value = match self.random.below(14) {
            0..=2 => format!("{a} + {b}"),
            3 | 4 => format!("{a} - {b}"),
            5 | 6 => format!("{a} * {b}"),
            7 => format!("{a} / ({b} | {})", if self.risk() { 0 } else { 1 }),
            8 => format!("{a} % ({b} + {})", if self.risk() { 0 } else { 1 }),
            9 => format!("-{a}"),
            10 => format!("{a} << ({b} & {far})"),
            11 => format!("{a} >> ({b} & {far})"),
            12 if self.risk() => {
                let step = self.random.pick(&["++", "--", " += 100", " -= 100", " *= 3"]);
                return self.line(&format!("{target}{step};"));
            }
            _ => format!("({a} > {b} ? {a} : {b})"),
        };
        match self.random.below(4) {
            0 if self.risk() => self.line(&format!("{target} += {value};")),
            1 => self.line(&format!("sink = sink * 31 + (unsigned long long)({value});")),
            _ => self.line(&format!("{target} = {value};")),
        }
    }

    /// What was allocated is freed, most of the time.
    fn end(&mut self) {
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.alive && object.storage == Storage::Heap && !self.random.one_in(12) {
                let line = format!("free({});", self.objects[index].pointer);
                self.line(&line);
            }
        }
        for (_, name) in NUMBERS {
            self.line(&format!("sink = sink * 31 + (unsigned long long){name};"));
        }
        self.line("return (int)(sink % 101);");
    }
}

const NUMBERS: [(&str, &str); 7] = [
    ("int", "i"),
    ("int", "j"),
    ("long", "l"),
    ("short", "h"),
    ("signed char", "c"),
    ("unsigned", "u"),
    ("long long", "w"),
];
