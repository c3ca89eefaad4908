//! What no muster lets pass, with the clause that says so.

use super::super::super::Days;
use super::{EMPIRE, IRON};
use engine::setup::{Mode, muster};

fn faults(text: &str) -> String {
    match muster::<Days>(text, None, Mode::Battle) {
        Ok(_) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

/// The set-up with one thing changed is refused with these words.
fn refused(text: &str, from: &str, to: &str, words: &str) {
    assert!(text.contains(from), "nothing to change: {from}");
    let found = faults(&text.replacen(from, to, 1));
    assert!(found.contains(words), "{to}: {words}\n{found}");
}

#[test]
fn a_force_keeps_within_the_sum() {
    refused(IRON, "size = 500", "size = 390", "Prussians costs 396 points, 6 more than the 390 agreed [days.6-a]");
    refused(IRON, "size = 500\n", "", "[days.5-a]");
    refused(IRON, "size = 500", "size = 0", "[days.5-a]");
}

#[test]
fn only_what_can_burn_is_on_fire() {
    let from = "off_board = true\n";
    let burning = |what: &str| format!("{from}burning = [\"{what}\"]\n");
    refused(IRON, from, &burning("@hill"), "`hill` does not burn [days.15-b]");
    refused(IRON, from, &burning("@bridge"), "`bridge` does not burn [days.15-b]");
    refused(IRON, from, &burning("@barn"), "no terrain feature is called `barn` [days.15-b]");
    assert_eq!(faults(&IRON.replacen(from, &burning("@village"), 1)), "");
}

#[test]
fn the_lists_bind() {
    for (from, to, words) in [
        ("entry = \"PR-01\"\nclass = 2", "entry = \"PR-01\"\nclass = 4", "is of Class 2 or 3 [days.6-e]"),
        ("entry = \"PR-01\"\nclass = 2", "entry = \"PR-01\"", "which class is it: 2 or 3 [days.6-e]"),
        ("entry = \"PR-01\"\nclass = 2", "entry = \"PR-01\"\nclass = 5", "[days.6-b]"),
        ("entry = \"PR-01\"\nclass = 2", "entry = \"PR-01\"\nclass = [2, 3]", "[days.6-c]"),
        ("stands = 14", "stands = 20", "has 12 to 18 stands, not 20 [days.6.1-a]"),
        ("entry = \"pr-11\"\nclass = 2\nstands = 8", "entry = \"pr-11\"\nclass = 2\nstands = 4", "[days.6.1-b]"),
        ("entry = \"pr-14\"", "entry = \"pr-14\"\nmodels = 3", "[days.3.1-e]"),
        ("entry = \"pr-14\"", "entry = \"pr-14\"\nstands = 2", "it is counted in models [days.3.1-e]"),
        ("entry = \"PR-01\"", "entry = \"FR-01\"", "is not in the list of Prussia"),
        ("entry = \"PR-01\"", "entry = \"PR-01\"\nweapon = \"chassepot\"", "carries dreyse [iron.5.4-b]"),
        ("entry = \"pr-14\"", "entry = \"pr-14\"\nweapon = \"field_gun\"", "[iron.10.1-a]"),
        ("traits = [\"light\"]\n", "", "which sort is it: traits light or medium [days.3.3-d]"),
        ("entry = \"PR-01\"", "entry = \"PR-01\"\nstand = \"2in\"", "[days.4-a]"),
        ("list = \"iron-fr\"", "list = \"empire-fr\"", "did not fight in this book [days.3.3-d]"),
        ("entry = \"pr-14\"", "entry = \"pr-15\"\nmodels = 1", "siege = true [days.3.3-d]"),
        ("entry = \"fr-01\"\nclass = 2", "entry = \"fr-05\"\nclass = 3", "mixes the Guard with the line [days.3.3-d]"),
        (
            "general = \"kirchbach\"\nentry = \"pr-05\"",
            "side = \"prussian\"\nindependent = true\nentry = \"pr-05\"",
            "battalions",
        ),
    ] {
        refused(IRON, from, to, words);
    }
    refused(EMPIRE, "entry = \"fx-02\"\nclass = 4", "entry = \"sa-03\"\nclass = 4", "mixes the troops of two allies");
    refused(EMPIRE, "weapon = \"smoothbore\"\n", "", "what does it carry: rifle or smoothbore [empire.5.4-a]");
    refused(EMPIRE, "siege = true\n", "", "scenarios");
}

#[test]
fn shares_and_limits_hold_and_can_be_switched_off() {
    let armed = IRON.replacen("stands = 8\ntraits", "stands = 12\ntraits", 1).replacen("size = 500", "size = 260", 1);
    let found = faults(&armed);
    assert!(found.contains("on cavalry, and may spend 91: 35 per cent [days.3.3-d]"), "{found}");
    let rare = EMPIRE.replacen(
        "entry = \"fx-01\"\nclass = 2\nstands = 12\nweapon = \"smoothbore\"",
        "entry = \"fx-03\"\nclass = 3\nstands = 12",
        1,
    );
    assert_eq!(faults(&rare), "");
    let twice = rare.replacen(
        "entry = \"fx-01\"\nclass = 3\nstands = 12\nweapon = \"rifle\"",
        "entry = \"fx-03\"\nclass = 3\nstands = 12",
        1,
    );
    let thrice = twice.replacen("entry = \"fx-02\"\nclass = 4", "entry = \"fx-03\"\nclass = 4", 1);
    assert_eq!(faults(&twice), "");
    let found = faults(&thrice);
    assert!(found.contains("Allies has 3 of Chasseurs à pied battalion, and may have 2 [days.3.3-d]"), "{found}");
    assert_eq!(faults(&format!("{thrice}\n[settings]\ncomposition = false\n")), "");
}

#[test]
fn everybody_is_commanded() {
    for (from, to, words) in [
        (
            "side = \"french\"\nrank = \"army\"",
            "side = \"french\"\nrank = \"division\"",
            "French has 0 generals for the player",
        ),
        ("superior = \"frossard\"", "superior = \"steinmetz\"", "is on the other side"),
        ("side = \"prussian\"\nindependent = true\n", "side = \"prussian\"\n", "[days.14.2-a]"),
        ("general = \"kirchbach\"\nname", "general = \"steinmetz\"\nname", "[days.14.2-a]"),
        ("general = \"kirchbach\"\nname", "general = \"moltke\"\nname", "no general is called `moltke`"),
        (
            "general = \"kirchbach\"\nentry = \"pr-06\"",
            "side = \"prussian\"\nindependent = true\nentry = \"pr-06\"",
            "never independent [days.14.2-a]",
        ),
        (
            "rank = \"army\"\npose = [\"36in\", \"3in\", 0]",
            "rank = \"army\"\nquality = \"inept\"\npose = [\"36in\", \"3in\", 0]",
            "[days.14.1-b]",
        ),
        ("quality = \"exceptional\"", "serves = \"all\"", "[days.14.2-i]"),
        ("rank = \"army\"\npose = [\"36in\", \"3in\", 0]", "rank = \"army\"\noff_board = true", "[days.16.5-b]"),
    ] {
        refused(IRON, from, to, words);
    }
    refused(EMPIRE, "rank = \"brigade\"\nsuperior", "rank = \"brigade\"\noff_board = true\nsuperior", "[days.16.5-a]");
    refused(EMPIRE, "general = \"horse\"", "general = \"first\"", "horse's command commands nothing [days.14.2-a]");
}

#[test]
fn works_need_an_engineer() {
    let party = "[units.pioneers]\nside = \"prussian\"\nentry = \"pr-s4\"\npose = [\"2in\", \"10in\", 0]\n";
    refused(IRON, party, "", "only with an engineer officer does one buy earthworks [days.15.10-b]");
    refused(IRON, party, "", "only with an engineer officer does one buy pontoons [days.5.2-f]");
    let second = party.replace("pioneers", "sappers");
    refused(
        IRON,
        "[victory]",
        &format!("{second}\n[victory]"),
        "Prussians has 2 engineer officers, and may have 1 [days.5.1-d]",
    );
}

#[test]
fn senseless_ground_is_refused() {
    for (from, to, words) in [
        (
            "nature = [\"heavy\"]",
            "nature = [\"steep\"]",
            "woods is never `steep`, but light or heavy or undefined [days.15.8-a]",
        ),
        ("nature = [\"heavy\"]", "nature = [\"light\", \"heavy\"]", "is either light or heavy [days.15.8-a]"),
        ("nature = [\"light\"]", "nature = [\"light\", \"heavy\"]", "[days.15.7-c]"),
        ("nature = [\"light\"]", "nature = [\"undefined\"]", "[days.15.7-a]"),
        ("kind = \"wall\"", "kind = \"wall\"\nnature = [\"gentle\"]", "[days.15.10-a]"),
        ("kind = \"wall\"", "kind = \"cliff\"", "[days.15-a]"),
        (
            "kind = \"stream\"",
            "kind = \"stream\"\nnature = [\"light\"]",
            "but north or east or south or west [days.15-a]",
        ),
        ("level = 2", "level = 3", "[days.15.1-a]"),
        ("level = 2\n", "", "[days.15.1-a]"),
        ("level = 2", "level = 2\ncrests = [[[\"1in\", \"1in\"], [\"2in\", \"1in\"]]]", "[days.15.1-b]"),
        ("width = \"2in\"", "width = \"2.5in\"", "[days.15.3-a]"),
        ("width = \"3in\"", "width = \"2in\"", "[days.15.3-a]"),
        (
            "[[\"64in\", \"22in\"], [\"68in\", \"24in\"]]",
            "[[\"50in\", \"22in\"], [\"52in\", \"24in\"]]",
            "[days.15.4-a]",
        ),
    ] {
        refused(IRON, from, to, words);
    }
}

#[test]
fn doubtful_ground_is_remarked_upon() {
    let road =
        "[table.features.road]\nkind = \"road\"\nline = [[\"40in\", \"30in\"], [\"72in\", \"30in\"]]\n[sides.prussian]";
    let text = IRON
        .replacen("[sides.prussian]", road, 1)
        .replacen("nature = [\"undefined\"]\n", "", 1)
        .replacen("size = [\"72in\", \"48in\"]", "size = [\"74in\", \"48in\"]", 1)
        .replacen("size = 500", "size = 2000", 1);
    let mustered = muster::<Days>(&text, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    let cautions: Vec<String> = mustered.cautions.cautions.iter().map(ToString::to_string).collect();
    for clause in ["[days.15.4-g]", "[days.15.8-b]", "[days.3.6-a]", "[days.5-a]"] {
        assert!(cautions.iter().any(|caution| caution.ends_with(clause)), "{clause}: {cautions:?}");
    }
    // Over the bridge it is a road like any other.
    let dry = text.replace("[\"40in\", \"30in\"], [\"72in\", \"30in\"]", "[\"40in\", \"37in\"], [\"72in\", \"37in\"]");
    let mustered = muster::<Days>(&dry, None, Mode::Battle).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(mustered.cautions.cautions.iter().all(|caution| !caution.to_string().contains("days.15.4-g")));
}

#[test]
fn everybody_has_a_place_of_his_own_side() {
    refused(
        IRON,
        "pose = [\"10in\", \"8in\", 0]",
        "pose = [\"10in\", \"13in\", 0]",
        "stands outside its zone [days.16.2-a]",
    );
    refused(
        IRON,
        "pose = [\"10in\", \"8in\", 0]",
        "pose = [\"1in\", \"8in\", 0]",
        "stands off the table [days.16.2-a]",
    );
    refused(IRON, "pose = [\"10in\", \"8in\", 0]\n", "", "a unit needs a place [days.16.2-a]");
    refused(
        IRON,
        "formation = \"manoeuvre\"",
        "formation = \"square\"",
        "nobody forms square in this book [days.8.1-a]",
    );
    refused(IRON, "entry = \"pr-06\"", "formation = \"skirmish\"\nentry = \"pr-06\"", "[days.8.1-b]");
    refused(IRON, "entry = \"pr-14\"", "formation = \"line\"\nentry = \"pr-14\"", "[days.10.1-e]");
    refused(
        IRON,
        "pose = [\"10in\", \"8in\", 0]",
        "pose = [\"24in\", \"8in\", 0]",
        "stands where I/7th is [days.16.2-a]",
    );
    // A scenario that is set up already may place troops where it likes.
    let forward = EMPIRE.replacen("pose = [\"10in\", \"8in\", 0]", "pose = [\"10in\", \"20in\", 0]", 1);
    assert_eq!(faults(&forward), "");
}

#[test]
fn objectives_are_somewhere_and_somebodys() {
    refused(IRON, "feature = \"@village\"", "feature = \"@metz\"", "no terrain feature is called `metz`");
    refused(IRON, ", of = \"prussian\"", "", "whose task is it");
    refused(
        IRON,
        "objectives = [{ feature = \"@village\", of = \"prussian\" }]",
        "kind = \"objectives\"",
        "[days.18.2-c]",
    );
}
