//! The sample forces of section (f): every one of them passes its army's list, and comes to the points written there.

use super::super::super::force;
use super::{field, unit};
use engine::Side;
use engine::setup::Mode;
use std::fmt::Write as _;

/// One force a block: year, points, lists; then a line for each unit: command, ability, template, arm, elements or guns,
/// rapid-fire elements among them, quality, status, charge and advance limiter, weapon, order, points.
const FORCES: &str = include_str!("forces.txt");

struct Force {
    year: String,
    points: i32,
    lists: Vec<String>,
    units: Vec<Vec<String>>,
}

fn forces() -> Vec<Force> {
    let mut forces: Vec<Force> = Vec::new();
    for line in FORCES.lines() {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match words.first().map(String::as_str) {
            Some("force") => forces.push(Force {
                year: words[1].clone(),
                points: words[2].parse().expect("points"),
                lists: words[3..].to_vec(),
                units: Vec::new(),
            }),
            Some(_) => forces.last_mut().expect("a force").units.push(words),
            None => {}
        }
    }
    forces
}

/// A force drawn up in one long line along its edge.
fn write_force(text: &mut String, side: &str, force: &Force) {
    let (front, facing) = if side == "a" { (25, 0) } else { (95, 180) };
    let lists: Vec<String> = force.lists.iter().map(|list| format!("\"{list}\"")).collect();
    let _ = write!(text, "[armies.{side}]\nlist = [{}]\n", lists.join(", "));
    let _ = write!(
        text,
        "[generals.{side}0]\nside = \"{side}\"\nlevel = \"division\"\npose = [\"20cm\", \"{front}cm\", {facing}]\n"
    );
    let mut brigades: Vec<&str> = Vec::new();
    for (n, words) in force.units.iter().enumerate() {
        let [command, ability, template, arm, count, organic, quality, _, _, _, weapon, _, _] = words.as_slice() else {
            panic!("{words:?}");
        };
        if !brigades.contains(&command.as_str()) {
            brigades.push(command);
            let _ = write!(
                text,
                "[generals.{command}]\nside = \"{side}\"\nlevel = \"brigade\"\nability = \"{ability}\"\nsuperior = \"{side}0\"\npose = [\"{}cm\", \"{front}cm\", {facing}]\n",
                30 * brigades.len()
            );
        }
        let number = if arm == "artillery" { "guns" } else { "elements" };
        let _ = write!(
            text,
            "[units.{side}-{n}]\ngeneral = \"{command}\"\ntemplate = \"{template}\"\narm = \"{arm}\"\n{number} = {count}\norganic = {organic}\nquality = \"{quality}\"\nweapon = \"{weapon}\"\npose = [\"{}cm\", \"{front}cm\", {facing}]\n",
            22 * n + 12
        );
    }
}

#[test]
fn the_twelve_sample_forces_come_to_their_points() {
    let forces = forces();
    assert_eq!(forces.len(), 12);
    for pair in forces.chunks(2) {
        let [a, b] = pair else { panic!("forces come in pairs") };
        let mut text = format!(
            "format = \"grognard/setup 1\"\nruleset = \"guns\"\ntitle = \"{}\"\nturn_limit = 8\nyear = {}\n[table]\nsize = [\"320cm\", \"120cm\"]\n[sides.a]\nedges = [\"south\"]\nzone = [[\"0cm\", \"0cm\"], [\"320cm\", \"30cm\"]]\n[sides.b]\nedges = [\"north\"]\nzone = [[\"0cm\", \"90cm\"], [\"320cm\", \"120cm\"]]\n",
            a.year, a.year
        );
        write_force(&mut text, "a", a);
        write_force(&mut text, "b", b);
        let field = field(&text, Mode::Battle);
        for (side, key, force) in [(Side::A, "a", a), (Side::B, "b", b)] {
            for (n, words) in force.units.iter().enumerate() {
                let facts = &field.card(unit(&field, &format!("{key}-{n}"))).facts;
                let marks = [facts.start, facts.charge_limit, facts.advance_limit].map(|mark| mark.to_string());
                assert_eq!(marks.as_slice(), &words[7..10], "{} {words:?}", force.year);
                assert_eq!(facts.loose, words[11] == "loose", "{} {words:?}", force.year);
                let points = force::points(field.charts(), field.settings().scale, facts);
                assert_eq!(points.to_string(), words[12], "{} {words:?}", force.year);
            }
            assert_eq!(force::total(&field, side), force.points, "{} {key}", force.year);
        }
    }
}
