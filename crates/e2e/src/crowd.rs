//! A table with four hundred stands, to see whether the page still moves.

use std::fmt::Write;

/// Stands on the table of [`setup`], officers not counted.
pub const STANDS: usize = 400;

/// Units of one side: of three stands each.
const UNITS: usize = 67;
const IN_ROW: usize = 23;
const IN_BRIGADE: usize = 6;

/// A set-up with two armies of foot drawn up in three lines each, on a table of twelve feet by six.
pub fn setup() -> String {
    let mut text = String::from(
        "format = \"grognard/setup 1\"\nruleset = \"awi\"\ntitle = \"The great review\"\nturn_limit = 12\n\
         first = \"british\"\n\n[settings]\norders = \"off\"\n\n[table]\nsize = [\"144in\", \"72in\"]\n",
    );
    wood_and_hill(&mut text);
    army(&mut text, "british", "regulars", "north");
    army(&mut text, "american", "continental", "south");
    text
}

/// Some ground between them, so that a march has something to be judged by.
fn wood_and_hill(text: &mut String) {
    for n in 0..12 {
        let (kind, x) = (if n % 2 == 0 { "woods" } else { "hill" }, 6 + 11 * n);
        let level = if kind == "hill" { "level = 1\n" } else { "" };
        let (east, y) = (x + 7, 32 + n % 3);
        let north = y + 6;
        let _ = write!(
            text,
            "\n[table.features.F{n}]\nkind = \"{kind}\"\n{level}rectangle = [[\"{x}in\", \"{y}in\"], [\"{east}in\", \"{north}in\"]]\n"
        );
    }
}

fn army(text: &mut String, side: &str, kind: &str, edge: &str) {
    let north = edge == "north";
    let (low, high, facing) = if north { (52, 72, 180) } else { (0, 20, 0) };
    let _ = write!(
        text,
        "\n[sides.{side}]\nedges = [\"{edge}\"]\nzone = [[\"0in\", \"{low}in\"], [\"144in\", \"{high}in\"]]\n"
    );
    for brigade in 0..UNITS.div_ceil(IN_BRIGADE) {
        let (x, y) = (6 + 12 * brigade, if north { 69 } else { 3 });
        let _ = write!(
            text,
            "\n[brigades.{side}-brigade-{brigade}]\nside = \"{side}\"\ncommander = {{ name = \"General {side} {brigade}\", rating = \"normal\", pose = [\"{x}in\", \"{y}in\", {facing}] }}\n"
        );
    }
    for unit in 0..UNITS {
        let (row, column) = (unit / IN_ROW, unit % IN_ROW);
        let x = 6 + 6 * column;
        let back = 4 * row;
        let y = if north { 54 + back } else { 18 - back };
        let brigade = unit / IN_BRIGADE;
        let _ = write!(
            text,
            "\n[units.{side}-{unit}]\nbrigade = \"{side}-brigade-{brigade}\"\ntype = \"{kind}\"\nclass = \"line\"\nformation = \"line\"\npose = [\"{x}in\", \"{y}in\", {facing}]\n"
        );
    }
}
