use super::*;
use crate::sandbox::Finished;
use crate::{Claim, Model};
use aster_cfa::AccessKind;
use aster_evidence::AccessedObject;

const TEXT: &str =
    "int g;\nint main(void) {\n  int x = f(\n    7,\n    g);\n  g = x + 1; // more\n  return x;\n}\n";

fn claim(kind: ErrorKind, line: u32) -> Claim<'static> {
    let program = Path::new("/tmp/p.c");
    Claim {
        program,
        text: TEXT,
        place_text: TEXT,
        model: Model::Lp64,
        kind,
        file: "p.c",
        line,
        access: None,
        in_unused: false,
        unsupplied: &[],
        error_functions: &[],
    }
}

fn run(ending: Ending, messages: &str) -> Observation {
    Observation::new(&Finished { ending, messages: messages.to_owned() })
}

fn judged(claim: &Claim<'_>, ending: Ending, messages: &str) -> Confirmation {
    judge(claim, &[], &run(ending, messages))
}

const REACHED: &str =
    "aster: error reached\n    #0 0x1 in aster_error inputs.c:4\n    #1 0x1 in main /tmp/p.c:6\n";
const OVERFLOW: &str = "/tmp/p.c:6:9: runtime error: signed integer overflow: 1 + 2 cannot be represented\n";
const FREED: &str = "==1==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T0:\n\
    \x20   #0 0x1 in __interceptor_free asan.cpp:52\n    #1 0x1 in main /tmp/p.c:6\n";
const LITERAL_FREED: &str = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x55\n\
    \x20   #0 0x1 in bool a::b<c> (x*) ../../a.cpp:80\n    #1 0x1 in __interceptor_free ../../b.cpp:53\n    #2 0x1 in main /tmp/p.c:6\n";
const BEYOND: &str = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n\
    READ of size 4 at 0x60 thread T0\n    #0 0x1 in main /tmp/p.c:6\n";
const LEAKED: &str = "==1==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 1 byte(s)\n    #0 0x1 in malloc a.cpp:1\n\n\
    Direct leak of 2 byte(s)\n    #0 0x1 in malloc a.cpp:1\n    #1 0x1 in main /tmp/p.c:3\n";

#[test]
fn the_kind_must_be_the_same() {
    let cases = [
        (ErrorKind::Reached, REACHED),
        (ErrorKind::Overflow, OVERFLOW),
        (ErrorKind::InvalidFree, FREED),
        (ErrorKind::InvalidDereference, BEYOND),
        (ErrorKind::MemoryNotFreed, LEAKED),
        (ErrorKind::InvalidFree, LITERAL_FREED),
    ];
    for (kind, _) in cases {
        for (other, messages) in cases {
            let result = judged(&claim(kind, 6), Ending::Exited(97), messages);
            match kind == other {
                true => assert_eq!(result, Confirmation::Confirmed, "{kind:?}"),
                false => {
                    assert!(matches!(result, Confirmation::NotConfirmed(_)), "{kind:?} {other:?}: {result:?}")
                }
            }
        }
        let silent = judged(&claim(kind, 6), Ending::Exited(0), "");
        let expected = "the compiled program ended with exit code 0";
        assert_eq!(silent, Confirmation::NotConfirmed(expected.to_owned()), "{kind:?}");
    }
}

#[test]
fn the_place_must_be_the_same() {
    for (kind, messages) in [
        (ErrorKind::Reached, REACHED),
        (ErrorKind::Overflow, OVERFLOW),
        (ErrorKind::InvalidFree, FREED),
        (ErrorKind::InvalidDereference, BEYOND),
    ] {
        for line in [5, 7] {
            let result = judged(&claim(kind, line), Ending::Exited(97), messages);
            let Confirmation::NotConfirmed(what) = result else { panic!("{kind:?}: {result:?}") };
            assert!(what.contains("/tmp/p.c:6"), "{what}");
        }
        let elsewhere = Claim { file: "other.h", ..claim(kind, 6) };
        assert_ne!(judged(&elsewhere, Ending::Exited(97), messages), Confirmation::Confirmed);
    }
    // Any line of the statement will do.
    assert_eq!(statement(TEXT, 4), 3..=5);
    assert_eq!(statement(TEXT, 6), 6..=6);
    assert_eq!(statement(TEXT, 1), 1..=1);
    assert_eq!(statement(TEXT, 99), 99..=99);
    let report = OVERFLOW.replace("p.c:6", "p.c:3");
    assert_eq!(judged(&claim(ErrorKind::Overflow, 5), Ending::Exited(97), &report), Confirmation::Confirmed);
}

#[test]
fn error_functions_are_called_where_they_end_or_by_whom() {
    let messages = "aster: error reached\n    #0 0x1 in aster_error inputs.c:4\n    #1 0x1 in fail /tmp/p.c:3\n    #2 0x1 in main /tmp/p.c:6\n";
    let names = ["fail".to_owned()];
    for (error_functions, line, expected) in
        [(&names[..], 6, true), (&[], 6, false), (&[], 3, true), (&names, 7, false)]
    {
        let claim = Claim { error_functions, ..claim(ErrorKind::Reached, line) };
        let result = judged(&claim, Ending::Exited(99), messages);
        assert_eq!(result == Confirmation::Confirmed, expected, "{line}: {result:?}");
    }
}

#[test]
fn memory_of_libraries_is_not_left_behind_by_the_program() {
    let messages = LEAKED.replace("/tmp/p.c", "other.c");
    for kind in [ErrorKind::MemoryLeak, ErrorKind::MemoryNotFreed] {
        assert_ne!(judged(&claim(kind, 6), Ending::Exited(97), &messages), Confirmation::Confirmed);
    }
}

#[test]
fn what_the_property_does_not_ask_about_is_passed_over() {
    let both = OVERFLOW.to_owned() + REACHED;
    assert_eq!(judged(&claim(ErrorKind::Reached, 6), Ending::Exited(99), &both), Confirmation::Confirmed);
    let early = BEYOND.to_owned() + REACHED;
    assert_ne!(judged(&claim(ErrorKind::Reached, 6), Ending::Exited(99), &early), Confirmation::Confirmed);
}

fn could_not(confirmation: &Confirmation, part: &str) {
    assert!(
        matches!(confirmation, Confirmation::CouldNot(reason) if reason.contains(part)),
        "{confirmation:?}"
    );
}

#[test]
fn runs_that_were_stopped_say_nothing() {
    for limit in [Limit::Time, Limit::Memory, Limit::Output, Limit::Processes, Limit::User] {
        could_not(&judged(&claim(ErrorKind::Reached, 6), Ending::Stopped(limit), ""), "the run ");
    }
    let overflow =
        "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ff\n    #0 0x1 in f /tmp/p.c:3\n";
    could_not(&judged(&claim(ErrorKind::Reached, 6), Ending::Exited(97), overflow), "more stack or memory");
    let fatal = "==1==LeakSanitizer has encountered a fatal error.\n==1==HINT: ptrace\n";
    could_not(&judged(&claim(ErrorKind::MemoryNotFreed, 6), Ending::Exited(97), fatal), "cannot work here");
}

#[test]
fn a_failure_without_a_place_confirms_nothing() {
    let messages =
        "aster: error reached\naster: the run does not follow the counterexample: unexpected call\n";
    could_not(&judged(&claim(ErrorKind::Reached, 6), Ending::Exited(98), messages), "do not tell where");
    let other = judged(&claim(ErrorKind::Overflow, 6), Ending::Exited(98), messages);
    assert!(matches!(other, Confirmation::NotConfirmed(_)), "{other:?}");
}

#[test]
fn missing_inputs_are_told() {
    let missing = ["uninitialised `x` = 7".to_owned()];
    let claim = claim(ErrorKind::Reached, 6);
    could_not(&judge(&claim, &missing, &run(Ending::Exited(0), "")), "uninitialised `x` = 7");
    assert_eq!(judge(&claim, &missing, &run(Ending::Exited(99), REACHED)), Confirmation::Confirmed);
    let claim = Claim { unsupplied: &["p".to_owned()], ..claim };
    could_not(&judged(&claim, Ending::Exited(0), ""), "nobody supplies: `p`");
    assert_eq!(judged(&claim, Ending::Exited(99), REACHED), Confirmation::Confirmed);
}

#[test]
fn what_sanitizers_cannot_see_is_no_contradiction() {
    let access = |address, length, size| InvalidAccess {
        kind: AccessKind::Access,
        address,
        length,
        object: Some(AccessedObject { name: None, address: 1000, size }),
    };
    let silent = |access: &InvalidAccess| {
        let claim = Claim { access: Some(access), ..claim(ErrorKind::InvalidDereference, 6) };
        judged(&claim, Ending::Exited(0), "")
    };
    could_not(&silent(&access(1040, 4, 4)), "farther");
    could_not(&silent(&access(900, 4, 4)), "farther");
    could_not(&silent(&access(1000, 4, 4)), "inside of an object");
    could_not(&silent(&access(1000, 1, 0)), "one byte");
    could_not(
        &silent(&InvalidAccess { kind: AccessKind::Access, address: 5000, length: 1, object: None }),
        "no object in Aster",
    );
    let next = [access(1004, 4, 4), access(996, 4, 4), access(1000, 8, 4), access(1020, 4, 4)];
    for seen in next.into_iter().chain([InvalidAccess {
        kind: AccessKind::Access,
        address: 0,
        length: 4,
        object: None,
    }]) {
        assert!(matches!(silent(&seen), Confirmation::NotConfirmed(_)), "{seen:?}");
    }
    could_not(&silent(&access(1002, 4, 4)), "not aligned");
    let mut before = access(996, 4, 4);
    before.object.as_mut().unwrap().name = Some("g".to_owned());
    could_not(&silent(&before), "before global variables");
    let text = "int main(void) {\n  printf(\"%.*s\",\n    n, p);\n}\n";
    let next = access(1004, 1, 4);
    let printed = Claim { access: Some(&next), place_text: text, ..claim(ErrorKind::InvalidDereference, 3) };
    could_not(&judged(&printed, Ending::Exited(0), ""), "printed with a precision");
    let text = "int main(void) {\n  wcsncpy(d,\n    s, 9);\n}\n";
    let copied = Claim { place_text: text, ..claim(ErrorKind::InvalidDereference, 2) };
    could_not(&judged(&copied, Ending::Exited(0), ""), "wide characters");
    let unused = Claim { in_unused: true, ..claim(ErrorKind::Overflow, 6) };
    could_not(&judged(&unused, Ending::Exited(0), ""), "nobody uses the value");
    assert!(matches!(judged(&unused, Ending::Exited(97), BEYOND), Confirmation::NotConfirmed(_)));
    could_not(&judged(&claim(ErrorKind::MemoryLeak, 6), Ending::Exited(0), ""), "looks like a pointer");
    // A misaligned word is one that is not where words are, not one beyond the object.
    let misaligned = "/tmp/p.c:6:2: runtime error: store to misaligned address 0x61 for type 'int'\n";
    for (access, expected) in
        [(access(1000, 4, 4), true), (access(1002, 4, 4), true), (access(1004, 4, 4), false)]
    {
        let claim = Claim { access: Some(&access), ..claim(ErrorKind::InvalidDereference, 6) };
        let result = judged(&claim, Ending::Exited(0), misaligned);
        assert_eq!(result == Confirmation::Confirmed, expected, "{access:?}: {result:?}");
    }
    let otherwise = judged(&claim(ErrorKind::MemoryLeak, 6), Ending::Exited(97), BEYOND);
    assert!(matches!(otherwise, Confirmation::NotConfirmed(_)), "{otherwise:?}");
}
