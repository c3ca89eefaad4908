//! The patient clerk: every fault of a file with its place, and no file that can hurt the house.

use engine::sheet::MOST_BYTES;
use engine::{Faults, Sheet, SheetTable};
use table::{Length, Pose};

/// Reads a text with `read`, then finishes the root.
fn faults(text: &str, read: impl FnOnce(&mut SheetTable<'_, '_>, &mut Faults)) -> Faults {
    let mut faults = Faults::default();
    if let Some(sheet) = Sheet::parse(text, &mut faults) {
        let mut root = sheet.root();
        read(&mut root, &mut faults);
        root.finish(&mut faults);
    }
    faults
}

fn places(faults: &Faults) -> Vec<(usize, usize, &str)> {
    faults.faults.iter().map(|fault| (fault.line, fault.column, fault.path.as_str())).collect()
}

#[test]
fn all_faults_at_once_with_line_and_column() {
    let text = "name = 3\nlength = \"8 yards\"\n\n[units.guards]\n  pose = [\"1in\", \"2in\"]\n  stray = true\n\n[units.line]\npose = [\"1in\", \"2in\", 0]\n";
    let faults = faults(text, |root, faults| {
        assert_eq!(root.get::<String>("name", faults), None);
        assert_eq!(root.get::<Length>("length", faults), None);
        assert_eq!(root.get::<u8>("missing", faults), None);
        assert_eq!(root.optional::<u8>("also_missing", faults), None);
        for (key, mut unit) in root.group("units", faults) {
            assert_eq!(unit.get::<Pose>("pose", faults).is_some(), key == "line");
            unit.finish(faults);
        }
    });
    assert_eq!(
        places(&faults),
        [(1, 8, "name"), (2, 10, "length"), (1, 1, ""), (5, 10, "units.guards.pose"), (6, 3, "units.guards.stray"),]
    );
    let text = faults.to_string();
    assert!(text.starts_with("line 1, column 8: name: invalid type: integer `3`, expected a string\n"), "{text}");
    assert!(text.contains("line 1, column 1: `missing` is missing"), "{text}");
    assert!(text.ends_with("line 6, column 3: units.guards.stray: nothing here knows this entry"), "{text}");
}

#[test]
fn columns_count_letters_and_not_bytes() {
    let text = "a = \"Düppel – Schanze\", b = 1\nünits = { größe = \"ß\", weite = 1 }\n";
    let broken = faults(text, |_, _| {});
    assert_eq!(broken.faults[0].line, 1);
    assert_eq!(broken.faults[0].column, "a = \"Düppel – Schanze\"".chars().count() + 1, "{broken}");
    let text = "\"größe\" = { \"länge\" = \"ß\", weite = 1 }\n";
    let found = faults(text, |root, faults| {
        root.table("größe", faults).unwrap().get::<String>("weite", faults);
    });
    assert_eq!(places(&found), [(1, text.chars().position(|letter| letter == '1').unwrap() + 1, "größe.weite")]);
}

#[test]
fn wrong_kinds_of_tables_are_named() {
    let text = "a = 1\nb = [1, { c = 2 }]\nc = { d = 1 }\n[[d]]\nx = 1\n[[d]]\nx = \"two\"\n";
    let faults = faults(text, |root, faults| {
        assert!(root.table("a", faults).is_none());
        assert!(root.tables("a", faults).is_empty());
        assert!(root.group("a", faults).is_empty());
        assert_eq!(
            root.tables("b", faults).iter_mut().map(|table| table.get::<u8>("c", faults)).collect::<Vec<_>>(),
            [Some(2)]
        );
        assert!(root.group("c", faults).is_empty());
        assert!(root.table("none", faults).is_none() && root.tables("none", faults).is_empty());
        let read: Vec<Option<u8>> = root.tables("d", faults).iter_mut().map(|table| table.get("x", faults)).collect();
        assert_eq!(read, [Some(1), None]);
    });
    assert_eq!(
        places(&faults),
        [(1, 5, "a"), (1, 5, "a"), (1, 5, "a"), (2, 6, "b[1]"), (3, 11, "c.d"), (7, 5, "d[2].x")]
    );
}

#[test]
fn numbers_no_house_can_use_are_refused() {
    let text = "huge = 99999999999999999999\nhex = 0xFFFFFFFFFFFFFFFFFF\nendless = inf\nnone = nan\nfine = 0x10\nlist = [1, 99999999999999999999]\nfloat = 1e999\ntiny = 300\n";
    let faults = faults(text, |root, faults| {
        for key in ["huge", "hex", "endless", "none", "list", "float"] {
            assert_eq!(root.json(key, faults), None, "{key}");
        }
        assert_eq!(root.get::<u8>("tiny", faults), None);
        assert_eq!(root.get::<u8>("fine", faults), Some(16));
    });
    assert_eq!(faults.faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [1, 2, 3, 4, 6, 7, 8], "{faults}");
}

#[test]
fn files_that_are_no_toml_leave_their_places() {
    let broken = faults("a = 1\nb = \nc = \"open\nd = 4\n", |_, _| panic!("nothing can be read of this"));
    assert!(broken.faults.len() >= 2 && broken.faults.iter().all(|fault| fault.line >= 2), "{broken}");
    let doubled = faults("[a]\nb = 1\nb = 2\n", |_, _| {});
    assert_eq!((doubled.faults[0].line, doubled.faults.len()), (3, 1));
    assert!(doubled.to_string().contains("duplicate key"), "{doubled}");
}

#[test]
fn files_that_are_far_too_long_are_not_even_parsed() {
    let long = format!("a = 1\n{}", "#".repeat(MOST_BYTES));
    let refused = faults(&long, |_, _| panic!("it was read"));
    assert_eq!(refused.faults.len(), 1);
    assert!(refused.to_string().contains("longer than 1048576 bytes"), "{refused}");
    let edge = format!("a = 1\n{}", "#".repeat(MOST_BYTES - 6));
    assert!(faults(&edge, |root, faults| assert_eq!(root.get::<u8>("a", faults), Some(1))).is_clean());
}

#[test]
fn complaints_stop_at_two_hundred() {
    let strays: String = (0..5000).map(|n| format!("k{n} = {n}\n")).collect();
    assert_eq!(faults(&strays, |_, _| {}).faults.len(), 200);
    let broken = "=\n".repeat(20_000);
    assert_eq!(faults(&broken, |_, _| {}).faults.len(), 200);
    let cautioned = faults("a = 1\n", |root, faults| {
        (0..300).for_each(|_| root.caution("a", "hm", faults));
        root.get::<u8>("a", faults);
    });
    assert!(cautioned.is_clean());
    assert_eq!(cautioned.cautions.len(), 200);
}

#[test]
fn deep_nesting_is_a_fault_and_not_the_end() {
    for text in [
        format!("a = {}{}\n", "[".repeat(5000), "]".repeat(5000)),
        format!("a = {}1{}\n", "{ a = ".repeat(5000), " }".repeat(5000)),
        format!("[{}]\nb = 1\n", vec!["a"; 5000].join(".")),
        // Each of these stays within the parser's own limit, and together they are as deep as a mine.
        format!(
            "[{}]\n{} = {}1{}\n",
            vec!["a"; 79].join("."),
            vec!["a"; 79].join("."),
            format!("{{ {} = ", vec!["a"; 79].join(".")).repeat(78),
            " }".repeat(78)
        ),
    ] {
        let faults = faults(&text, |root, faults| drop(root.json("a", faults)));
        assert!(!faults.is_clean());
    }
    let deep = format!("a = {}1{}\n", "[".repeat(30), "]".repeat(30));
    assert!(faults(&deep, |root, faults| assert!(root.json("a", faults).is_some())).is_clean());
}

#[test]
fn released_tables_complain_about_nothing() {
    let found = faults("a = 1\nb = 2\n", |root, _| root.release());
    assert!(found.is_clean());
}

#[test]
fn whole_file_faults_have_no_line() {
    assert_eq!(Faults::whole("not today").to_string(), "not today");
    assert!(Faults::default().or(3).is_ok_and(|value| value == 3));
    assert!(Faults::whole("x").or(3).is_err());
}
