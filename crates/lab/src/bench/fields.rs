//! Open fields for armies of any size: two lines of battalions a side, brigade beside brigade, on a table that grows with
//! them, so that nobody is more crowded in the larger army than in the smaller.

use engine::setup::{self, Mode};
use engine::{Faults, Ruleset, State};
use std::fmt::Write;

/// The field of a rulebook; no limits of armies and no victory before the last turn, where the book has a word for that.
pub(super) struct Field {
    /// The rulebook.
    pub id: &'static str,
    /// What the set-up says beside sides and troops; `{points}`, enough for everybody, is filled in.
    head: &'static str,
    /// What is said of each side after its zone; `{side}` and `{list}` are filled in.
    army: &'static str,
    /// What it measures in.
    unit: &'static str,
    /// The two sides, each with whatever its troops differ by: the first stands in the south.
    sides: [(&'static str, &'static str); 2],
    /// Units in a brigade.
    brigade: u32,
    /// From one unit to the next.
    apart: u32,
    /// From the first line to the second.
    ranks: u32,
    /// From a unit to the general behind it.
    rear: u32,
    /// From the middle of the table to an army's zone, and how deep that is.
    depth: u32,
    zone: u32,
    /// A brigade, once for each; `{side}`, `{n}` and `{pose}` are filled in.
    chief: &'static str,
    /// A unit; `{side}`, `{n}`, `{unit}` and `{pose}` are filled in.
    troops: &'static str,
    /// The last unit of each brigade, where it is another.
    last: Option<&'static str>,
}

const AWI: Field = Field {
    id: "awi",
    head: "first = \"north\"\n[settings]\norders = \"off\"\n",
    army: "",
    unit: "in",
    sides: [("south", "continental"), ("north", "regulars")],
    brigade: 4,
    apart: 6,
    ranks: 5,
    depth: 10,
    zone: 16,
    rear: 3,
    chief: "[brigades.{side}-{n}]\nside = \"{side}\"\ncommander = { name = \"{side} {n}\", rating = \"normal\", pose = {pose} }\n",
    troops: "[units.{side}-u{unit}]\nbrigade = \"{side}-{n}\"\ntype = \"{list}\"\nclass = \"line\"\nformation = \"line\"\npose = {pose}\n",
    last: None,
};

const FPW: Field = Field {
    id: "fpw",
    head: "first = \"prussian\"\n",
    army: "",
    unit: "in",
    sides: [("prussian", "needle"), ("french", "chassepot")],
    brigade: 5,
    apart: 6,
    ranks: 5,
    depth: 12,
    zone: 16,
    rear: 8,
    chief: "[generals.{side}-{n}]\nside = \"{side}\"\nname = \"{side} {n}\"\ncommand = \"Division {n}\"\nlevel = \"division\"\npose = {pose}\n\
            [brigades.{side}-b{n}]\ngeneral = \"{side}-{n}\"\n",
    troops: "[units.{side}-u{unit}]\nbrigade = \"{side}-b{n}\"\narm = \"infantry\"\nweapon = \"{list}\"\nquality = \"regular\"\nformation = \"line\"\npose = {pose}\n",
    last: None,
};

const GUNS: Field = Field {
    id: "guns",
    head: "year = 1870\ndeployed = true\n[settings]\nhistorical_lists = false\n[victory]\nkind = \"none\"\n",
    army: "",
    unit: "cm",
    sides: [("south", ""), ("north", "")],
    brigade: 5,
    apart: 25,
    ranks: 20,
    depth: 30,
    zone: 50,
    rear: 8,
    chief: "[generals.{side}-{n}]\nside = \"{side}\"\nname = \"{side} {n}\"\nlevel = \"brigade\"\nability = \"able\"\ncommand = \"Brigade {n}\"\npose = {pose}\n",
    troops: "[units.{side}-u{unit}]\ngeneral = \"{side}-{n}\"\narm = \"infantry\"\nelements = 7\nweapon = \"chassepot\"\norders = [\"close\", \"loose\", \"extended\"]\n\
             formation = \"line\"\nquality = \"regulars\"\npose = {pose}\n",
    last: Some(
        "[units.{side}-u{unit}]\ngeneral = \"{side}-{n}\"\narm = \"artillery\"\nguns = 6\nclass = \"field\"\nweapon = \"krupp4\"\n\
         formation = \"limbered\"\nquality = \"regulars\"\npose = {pose}\n",
    ),
};

const IRON: Field = Field {
    id: "iron",
    head: "size = {points}\n[settings]\ncomposition = false\n",
    army: "[armies.{side}]\nlist = \"{list}\"\n[generals.{side}-army]\nside = \"{side}\"\nrank = \"army\"\npose = {pose}\n",
    unit: "in",
    sides: [("prussian", "iron-pr"), ("french", "iron-fr")],
    brigade: 5,
    apart: 7,
    ranks: 5,
    depth: 13,
    zone: 16,
    rear: 8,
    chief: "[generals.{side}-{n}]\nside = \"{side}\"\nrank = \"brigade\"\npose = {pose}\n",
    troops: "[units.{side}-u{unit}]\ngeneral = \"{side}-{n}\"\narm = \"infantry\"\nclass = 2\nstands = 5\nweapon = \"dreyse\"\ntraits = [\"line_infantry\"]\nformation = \"line\"\npose = {pose}\n",
    last: None,
};

/// A field for every family of rulebooks; `iron` and `empire` are marched and shot over alike.
pub(super) const ALL: [Field; 4] = [AWI, FPW, GUNS, IRON];

/// More than a battalion of any book costs, where armies are paid for.
const POINTS: u32 = 100;

impl Field {
    /// So many units a side.
    pub fn text(&self, units: u32, turns: u32) -> String {
        let files = units.div_ceil(2);
        let (wide, deep) = (files * self.apart + 2 * self.apart, 2 * (self.depth + self.zone));
        let (id, unit) = (self.id, self.unit);
        let mut text = format!(
            "format = \"grognard/setup 1\"\nruleset = \"{id}\"\ntitle = \"{units} a side\"\nturn_limit = {turns}\n{}[table]\nsize = [\"{wide}{unit}\", \"{deep}{unit}\"]\n",
            self.head.replace("{points}", &(units * POINTS).to_string())
        );
        for (no, (side, list)) in self.sides.into_iter().enumerate() {
            let (edge, low, high) = if no == 0 { ("south", 0, self.zone) } else { ("north", deep - self.zone, deep) };
            let _ = writeln!(
                text,
                "[sides.{side}]\nedges = [\"{edge}\"]\nzone = [[\"0{unit}\", \"{low}{unit}\"], [\"{wide}{unit}\", \"{high}{unit}\"]]"
            );
            // The first line stands on the edge of its zone nearest to the enemy, a little behind it.
            let pose = |x: u32, back: u32| {
                let (y, facing) = if no == 0 { (high - 1 - back, 0) } else { (low + 1 + back, 180) };
                format!("[\"{x}{unit}\", \"{y}{unit}\", {facing}]")
            };
            let fill = |form: &str, n: u32, unit: u32, pose: &str| {
                let form = form.replace("{side}", side).replace("{list}", list).replace("{n}", &n.to_string());
                form.replace("{unit}", &unit.to_string()).replace("{pose}", pose)
            };
            text.push_str(&fill(self.army, 0, 0, &pose(wide / 2, self.zone - 3)));
            for unit in 0..units {
                let (x, rank, n) = (self.apart + (unit % files) * self.apart, unit / files, unit / self.brigade);
                if unit % self.brigade == 0 {
                    text.push_str(&fill(self.chief, n, unit, &pose(x, rank * self.ranks + self.rear)));
                }
                let is_last = unit % self.brigade == self.brigade - 1;
                let form = self.last.filter(|_| is_last).unwrap_or(self.troops);
                text.push_str(&fill(form, n, unit, &pose(x, rank * self.ranks)));
            }
        }
        text
    }

    /// The same, set up.
    pub fn muster<R: Ruleset>(&self, units: u32, turns: u32) -> Result<State<R>, Faults> {
        Ok(setup::muster::<R>(&self.text(units, turns), None, Mode::Battle)?.state)
    }
}
