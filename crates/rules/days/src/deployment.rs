//! S4 to S7: generals diced for, scouting, what stays off or hides, setting up by maps or brigade by brigade. Section 16.

pub mod brigades;
pub mod judge;
pub mod opening;

use super::Days;
use super::clause::Clause;
use super::event::{Barrier, DaysEvent};
use super::field::{Field, agreed, as_seated, facts};
use super::order::{Decision, Order, Placement, WorkPlacement};
use super::sequence::{Given, Phase, single};
use super::settings::{DeployBy, Disputed, Weight};
use super::{ground, hidden};
use book::placement::OfficerPlacement;
use engine::{BySide, CommandId, Deed, Event, Flow, Mark, Side, Umpire, UnitId, Verdict, View, Whereabouts, Who};
use serde::{Deserialize, Serialize};
use table::{Length, Pose};

/// What comes next before the first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// S4 and S5: what is diced for and compared.
    #[default]
    Dice,
    /// S6: what stays off, who hides.
    Reserves,
    /// Who sets up first.
    First,
    /// S7: by maps.
    Maps,
    /// S7: brigade by brigade.
    Brigades,
    /// Everybody stands.
    Done,
}

/// How far setting up has got.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Setting {
    /// What comes next.
    pub stage: Stage,
    /// Who was out-scouted.
    pub outdone: Option<Side>,
    /// Who sets the next brigade up.
    pub next: Option<Side>,
    /// Brigades that were set up.
    pub placed: BySide<Vec<Option<CommandId>>>,
}

/// Turns the page; ends by announcing turn 1 and replacing itself by `Phase::Turn { next: 0 }`.
pub fn advance(umpire: &mut Umpire<'_, Days>, mut setting: Setting) -> Flow<Days> {
    let deployed = umpire.state().muster().scenario.deployed;
    match setting.stage {
        Stage::Dice => {
            opening::disputes(umpire);
            opening::seats(umpire);
            opening::wind(umpire);
            opening::flames(umpire);
            opening::generals(umpire);
            setting.outdone = if deployed { None } else { opening::scouting(umpire) };
            setting.stage = Stage::Reserves;
            umpire.replace(Phase::Opening(setting));
        }
        Stage::Reserves if !deployed && are_reserves_asked(umpire.state()) => {
            return Flow::Ask(Who::Both, Decision::Reserves);
        }
        Stage::Reserves => execute_reserves(umpire, Given::default()),
        Stage::First if deployed => execute(umpire, Given::default()),
        Stage::First => who_is_first(umpire, setting),
        Stage::Maps => return Flow::Ask(Who::Both, Decision::Deploy),
        Stage::Brigades => return ask_brigade(umpire, setting),
        Stage::Done => begin(umpire),
    }
    Flow::Again
}

/// Whether anybody has something to keep back, to hide or to dig in. Both are asked, so that the question tells nothing.
fn are_reserves_asked(field: &Field) -> bool {
    let scenario = &field.muster().scenario;
    let works = Side::BOTH.into_iter().any(|side| scenario.earthworks[side] > Length::ZERO);
    scenario.off_board || works || scenario.in_hiding.contains(&true)
}

/// By maps nobody is first. In turns it is the out-scouted side, else whoever throws less (days.16.1-b, 19.3).
fn who_is_first(umpire: &mut Umpire<'_, Days>, mut setting: Setting) {
    if setting.outdone.is_none() && umpire.state().settings().deployment == DeployBy::Maps {
        setting.stage = Stage::Maps;
        umpire.replace(Phase::Opening(setting));
        return;
    }
    let side = match setting.outdone {
        Some(side) => {
            umpire.announce(Event::own(Clause::TheOutscoutedSetUpFirst, DaysEvent::DeploysFirst { side }));
            side
        }
        None => roll_for_first(umpire),
    };
    (setting.stage, setting.next) = (Stage::Brigades, Some(side));
    umpire.replace(Phase::Opening(setting));
}

fn roll_for_first(umpire: &mut Umpire<'_, Days>) -> Side {
    let dice = umpire.charts().test.dice.value.0;
    let scouted = agreed(umpire.state(), Disputed::Scouting);
    loop {
        let (a, b) = (umpire.roll(dice, Side::A), umpire.roll(dice, Side::B));
        let lower = match a.total().cmp(&b.total()) {
            std::cmp::Ordering::Less => Some(Side::A),
            std::cmp::Ordering::Greater => Some(Side::B),
            std::cmp::Ordering::Equal => None,
        };
        let event = lower.map_or(DaysEvent::InitiativeTied, |side| DaysEvent::DeploysFirst { side });
        let event = Event::own(Clause::SettingUpInTurns, event).also_if(scouted, Clause::NeitherSideOutscouted);
        umpire.announce(event.rolled(a).rolled(b));
        if lower.is_some() || umpire.is_faulted() {
            return lower.unwrap_or(Side::A);
        }
    }
}

/// Asks for the next brigade of whose turn it is; the other side goes on where one has done.
fn ask_brigade(umpire: &mut Umpire<'_, Days>, mut setting: Setting) -> Flow<Days> {
    let field = umpire.state();
    let next = setting.next.unwrap_or(Side::A);
    for side in [next, next.other()] {
        let left = brigades::left(field, side, &setting.placed[side]);
        if !left.is_empty() {
            return Flow::Ask(Who::One(side), Decision::DeployBrigade { left });
        }
    }
    setting.stage = Stage::Done;
    umpire.replace(Phase::Opening(setting));
    Flow::Again
}

/// Everybody stands: the ground does its work, whoever is badly hidden is seen, and the first turn begins.
fn begin(umpire: &mut Umpire<'_, Days>) {
    let there: Vec<UnitId> = umpire.state().units().filter(|(_, unit)| unit.is_present()).map(|(id, _)| id).collect();
    for unit in there {
        ground::settle(umpire, unit);
    }
    hidden::discover(umpire);
    super::force::roll_call(umpire);
    let event = Event::new(Clause::SetUpAndBegin, Deed::TurnBegan { turn: 1 });
    umpire.announce(event.also(Clause::AgreeingOnTheGround).also(Clause::WhoseGroundItIs));
    umpire.replace(Phase::Turn { next: 0 });
}

/// What is set up together, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Places {
    pub units: Vec<Placement>,
    pub commanders: Vec<OfficerPlacement>,
}

/// What an order asks for; nothing where it passes.
#[derive(Clone, Copy, Default)]
struct Asked<'o> {
    units: &'o [Placement],
    commanders: &'o [OfficerPlacement],
}

impl<'o> Asked<'o> {
    fn of(order: Option<&'o Order>) -> Asked<'o> {
        match order {
            Some(Order::Deploy { units, commanders, .. }) => Asked { units, commanders },
            _ => Asked::default(),
        }
    }
}

/// Where the set-up places a unit, and how.
pub fn default_place(field: &Field, unit: UnitId) -> Option<Placement> {
    let (scenario, n) = (&field.muster().scenario, unit.index());
    let pose = scenario.units_at.get(n).copied().flatten()?;
    let pose = as_seated(field, field.side_of(unit), pose);
    let formation = scenario.drawn_up.get(n).copied().flatten().unwrap_or(field.unit(unit).body.formation);
    let hidden = scenario.in_hiding.get(n).copied().unwrap_or(false);
    let crest = scenario.at_crest.get(n).copied().flatten();
    Some(Placement { unit, pose, formation, hidden, crest })
}

/// Where those units and generals stand who are off the table and belong here: where the order says, else where the
/// set-up places them.
fn places(field: &Field, side: Side, brigade: Option<Option<CommandId>>, asked: Asked<'_>) -> Places {
    let belongs = |id: &UnitId| {
        let own = brigades::brigade_of(field, *id);
        brigade.is_none_or(|brigade| brigade == own) && !brigades::is_absent(field, own)
    };
    let off = |id: &UnitId| field.unit(*id).whereabouts == Whereabouts::OffTable;
    let units = brigades::wholes(field, side).filter(off).filter(belongs).filter_map(|unit| {
        let given = asked.units.iter().find(|place| place.unit == unit).copied();
        // Who hides was asked before; whoever did not is set up openly.
        given.or_else(|| default_place(field, unit).map(|place| Placement { hidden: false, ..place }))
    });
    let units = units.collect();
    let generals = match brigade {
        Some(brigade) => brigades::generals_with(field, side, brigade),
        None => all_generals(field, side),
    };
    let scenario = &field.muster().scenario;
    let commanders = generals.into_iter().filter_map(|commander| {
        let given = asked.commanders.iter().find(|place| place.commander == commander).copied();
        let default = scenario.commanders_at.get(commander.index()).copied().flatten();
        given.or(default.map(|pose| OfficerPlacement { commander, pose: as_seated(field, side, pose) }))
    });
    let commanders = commanders.collect();
    Places { units, commanders }
}

/// Generals of a side who are set up at all, not those off the table with all their troops.
fn all_generals(field: &Field, side: Side) -> Vec<engine::CommanderId> {
    let here = brigades::brigades(field, side).into_iter().map(Some).filter(|one| !brigades::is_absent(field, *one));
    let mut all: Vec<_> =
        here.chain([None]).flat_map(|brigade| brigades::generals_with(field, side, brigade)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The deployment the set-up gives a side, spelled out piece by piece.
pub fn as_drawn_up(field: &Field, side: Side) -> Order {
    let Places { mut units, commanders } = places(field, side, None, Asked::default());
    units.sort_by_key(|place| judge::turn_of(facts(field, place.unit).arm));
    Order::Deploy { brigade: None, units, commanders }
}

/// Judges what stays off, who hides, where works lie.
pub fn check_reserves(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let field: &Field = view;
    let (off, hidden, works) = match order {
        Order::Pass => return verdict,
        Order::Reserve { off, hidden, works } => (off, hidden, works),
        _ => {
            let text = "the question is what stays off the table, who hides and where works lie";
            return Verdict::refused(Clause::SilenceAboutReserves, text);
        }
    };
    let own = brigades::brigades(field, side);
    for (n, brigade) in off.iter().enumerate() {
        let name = &field.muster().command(*brigade).name;
        if !own.contains(brigade) {
            verdict.refuse(Clause::WholeBrigadesOnly, format!("{name} is no brigade of yours"));
        } else if off[..n].contains(brigade) {
            verdict.refuse(Clause::WholeBrigadesOnly, format!("{name} is kept off twice"));
        } else if !field.muster().scenario.off_board && !is_kept_off(field, *brigade) {
            let text = format!("{name}: the set-up lets nobody else be kept off the table");
            verdict.refuse(Clause::AThirdInHand, text);
        }
    }
    if verdict.is_legal() && !off.is_empty() && !brigades::may_keep_off(field, side, off) {
        let kept = brigades::points_off(field, side, off);
        let all = super::force::points(field, side);
        let text = format!("{kept} of {all} points would be kept off the table, and no more than a third may be");
        verdict.refuse(Clause::AThirdInHand, text);
    }
    judge::judge_names(field, side, hidden, &|_| true, &mut verdict);
    for place in hidden.iter().filter(|place| is_off(field, place.unit, off)) {
        let text = format!("{} is kept off the table with its brigade", field.card(place.unit).name);
        verdict.refuse(Clause::WholeBrigadesOnly, text).about(place.unit).at(Mark::Spot(place.pose.at));
    }
    judge::judge_works(field, side, works, &mut verdict);
    if verdict.is_legal() {
        let units = in_hiding(field, side, off, hidden);
        judge::judge(field, side, &Places { units, commanders: Vec::new() }, &[], &mut verdict);
    }
    verdict
}

fn is_kept_off(field: &Field, brigade: CommandId) -> bool {
    field.muster().scenario.kept_off.get(brigade.index()).copied().unwrap_or(false)
}

fn is_off(field: &Field, unit: UnitId, off: &[CommandId]) -> bool {
    brigades::brigade_of(field, unit).is_some_and(|brigade| off.contains(&brigade))
}

/// Who hides, and where: those an order names, and those the set-up hides of whom it says nothing.
fn in_hiding(field: &Field, side: Side, off: &[CommandId], named: &[Placement]) -> Vec<Placement> {
    let own = brigades::wholes(field, side).filter(|id| !is_off(field, *id, off));
    let hides = own.filter_map(|unit| {
        let given = named.iter().find(|place| place.unit == unit).copied();
        given.or_else(|| default_place(field, unit))
    });
    hides.filter(|place| place.hidden && field.unit(place.unit).whereabouts == Whereabouts::OffTable).collect()
}

/// Judges a whole deployment.
pub fn check(view: &View<'_, Days>, side: Side, order: &Order) -> Verdict {
    match order {
        Order::Pass => Verdict::fine(),
        Order::Deploy { brigade: None, .. } => judge_deployment(view, side, None, order),
        Order::Deploy { .. } => Verdict::refused(Clause::SettingUpByMap, "a map shows the whole army, not one brigade"),
        _ => Verdict::refused(Clause::SettingUpByMap, "the question is where your troops stand"),
    }
}

/// Judges one brigade's deployment.
pub fn check_brigade(view: &View<'_, Days>, side: Side, left: &[Option<CommandId>], order: &Order) -> Verdict {
    let clause = Clause::SettingUpInTurns;
    match order {
        Order::Pass => Verdict::fine(),
        Order::Deploy { brigade, .. } if left.contains(brigade) => judge_deployment(view, side, Some(*brigade), order),
        Order::Deploy { brigade: None, .. } => Verdict::refused(clause, "army troops and independent units come last"),
        Order::Deploy { .. } => Verdict::refused(clause, "this is no brigade that you have left to set up"),
        _ => Verdict::refused(clause, "the question is which brigade you set up, and where"),
    }
}

fn judge_deployment(field: &Field, side: Side, brigade: Option<Option<CommandId>>, order: &Order) -> Verdict {
    let mut verdict = Verdict::fine();
    let asked = Asked::of(Some(order));
    let belongs = |unit: UnitId| brigade.is_none_or(|brigade| brigades::brigade_of(field, unit) == brigade);
    judge::judge_names(field, side, asked.units, &belongs, &mut verdict);
    let generals = match brigade {
        Some(brigade) => brigades::generals_with(field, side, brigade),
        None => all_generals(field, side),
    };
    for (n, place) in asked.commanders.iter().enumerate() {
        let card = field.muster().commander(place.commander);
        let (clause, text) = if card.side != side {
            (Clause::WhereToSetUp, "this is not a general of yours".to_owned())
        } else if !generals.contains(&place.commander) {
            (Clause::SettingUpInTurns, format!("{} is not set up with these troops", card.name))
        } else if asked.commanders[..n].iter().any(|other| other.commander == place.commander) {
            (Clause::WhereToSetUp, format!("{} is set up twice", card.name))
        } else {
            continue;
        };
        verdict.refuse(clause, text).at(Mark::Spot(place.pose.at));
    }
    if verdict.is_legal() {
        let places = places(field, side, brigade, asked);
        judge::judge(field, side, &places, asked.commanders, &mut verdict);
        homeless(field, side, brigade, &places, &mut verdict);
    }
    verdict
}

/// Units that neither the order nor the set-up gives a place.
fn homeless(field: &Field, side: Side, brigade: Option<Option<CommandId>>, places: &Places, verdict: &mut Verdict) {
    for unit in brigades::wholes(field, side) {
        let own = brigades::brigade_of(field, unit);
        let here = brigade.is_none_or(|brigade| brigade == own) && !brigades::is_absent(field, own);
        let off = field.unit(unit).whereabouts == Whereabouts::OffTable;
        if here && off && places.units.iter().all(|place| place.unit != unit) {
            let text = format!("{} has been given no place", field.card(unit).name);
            verdict.refuse(Clause::WhereToSetUp, text).about(unit);
        }
    }
}

/// Moves the top phase on.
fn turn_to(umpire: &mut Umpire<'_, Days>, stage: Stage) {
    if let Some(Phase::Opening(setting)) = umpire.phase() {
        setting.stage = stage;
    }
}

/// Keeps brigades off, hides units, lays works.
pub fn execute_reserves(umpire: &mut Umpire<'_, Days>, given: Given) {
    for side in Side::BOTH {
        let field = umpire.state();
        let kept = || brigades::brigades(field, side).into_iter().filter(|one| is_kept_off(field, *one));
        let (off, named, works) = match &given[side] {
            Some(Order::Reserve { off, hidden, works }) => (off.clone(), hidden.as_slice(), works.as_slice()),
            _ => (kept().collect(), [].as_slice(), [].as_slice()),
        };
        let hides = in_hiding(field, side, &off, named);
        for brigade in off {
            let event = Event::own(Clause::SilenceAboutReserves, DaysEvent::KeptOff { brigade })
                .also(Clause::AThirdInHand)
                .also(Clause::WholeBrigadesOnly);
            umpire.announce(event.only(side));
        }
        for work in works {
            lay(umpire, *work);
        }
        for place in hides {
            place_unit(umpire, place, Clause::WhereTroopsCanHide);
        }
    }
    turn_to(umpire, Stage::First);
}

/// Works that were bought are heavy.
fn lay(umpire: &mut Umpire<'_, Days>, WorkPlacement { from, to }: WorkPlacement) {
    let barrier = Barrier { from, to, weight: Weight::Heavy, wooden: false };
    let event = Event::own(Clause::WhoMayBuyWorks, DaysEvent::Raised { barrier });
    umpire.announce(event.also(Clause::PayingForEarthworks).also(Clause::WallsWorksAndBarriers));
}

/// Sets everybody up.
pub fn execute(umpire: &mut Umpire<'_, Days>, given: Given) {
    let deployed = umpire.state().muster().scenario.deployed;
    let clause = if deployed { Clause::SetUpAndBegin } else { Clause::SettingUpByMap };
    for side in Side::BOTH {
        let places = places(umpire.state(), side, None, Asked::of(given[side].as_ref()));
        set_up(umpire, places, clause, side, false);
        for brigade in brigades::brigades(umpire.state(), side) {
            keep_off_the_rest(umpire, side, brigade);
        }
    }
    turn_to(umpire, Stage::Done);
}

/// Sets a brigade up.
pub fn execute_brigade(umpire: &mut Umpire<'_, Days>, left: &[Option<CommandId>], given: Given) {
    let Some((side, order)) = single(given) else { return };
    let named = match &order {
        Order::Deploy { brigade, .. } if left.contains(brigade) => Some(*brigade),
        _ => left.first().copied(),
    };
    if let Some(brigade) = named {
        let places = places(umpire.state(), side, Some(brigade), Asked::of(Some(&order)));
        set_up(umpire, places, Clause::SettingUpInTurns, side, true);
        if let Some(brigade) = brigade {
            keep_off_the_rest(umpire, side, brigade);
        }
    }
    if let Some(Phase::Opening(setting)) = umpire.phase() {
        setting.placed[side].extend(named);
        setting.next = Some(side.other());
    }
}

/// A brigade the set-up keeps off has no places on the table. If its owner called it up and then gave it none, it stays
/// off all the same.
fn keep_off_the_rest(umpire: &mut Umpire<'_, Days>, side: Side, brigade: CommandId) {
    let field = umpire.state();
    let off = |id: UnitId| field.unit(id).whereabouts == Whereabouts::OffTable;
    let left = brigades::units_of(field, side, Some(brigade)).any(off);
    if left && is_kept_off(field, brigade) && !brigades::is_absent(field, Some(brigade)) {
        let event = Event::own(Clause::SilenceAboutReserves, DaysEvent::KeptOff { brigade });
        umpire.announce(event.only(side));
    }
}

/// Puts units and generals down, horse first, then guns, then foot; who finds his place taken stands close by.
fn set_up(umpire: &mut Umpire<'_, Days>, places: Places, clause: Clause, side: Side, yields: bool) {
    let Places { mut units, commanders } = places;
    let field = umpire.state();
    units.sort_by_key(|place| judge::turn_of(facts(field, place.unit).arm));
    for place in units {
        let place = if yields { make_room(umpire.state(), side, place) } else { place };
        place_unit(umpire, place, clause);
    }
    for OfficerPlacement { commander, pose } in commanders {
        let deed = Deed::CommanderMoved { commander, to: pose };
        umpire.announce(Event::new(clause, deed));
    }
}

/// How many inches to each side, and how many back, a place is looked for.
// tidy: allow(how far the house looks for room)
const ROOM: (i32, i32) = (40, 12);

/// The place itself where it is free, else the nearest free one beside or behind it; the place itself if there is none.
fn make_room(field: &Field, side: Side, place: Placement) -> Placement {
    // tidy: allow(how closely the house looks)
    let inch = Length::whole_inches(1);
    let shifted = |pose: Pose, back: i32, aside: i32| pose.ahead(inch * -back).sideways(inch * aside);
    let asides = (0..=ROOM.0).flat_map(|aside| [aside, -aside]);
    let mut tries = asides.flat_map(|aside| (0..=ROOM.1).map(move |back| (back, aside)));
    let found = tries.find_map(|(back, aside)| {
        let tried = Placement { pose: shifted(place.pose, back, aside), ..place };
        judge::is_free(field, side, &tried).then_some(tried)
    });
    found.unwrap_or(place)
}

/// Sets a unit on the table; of one in hiding only its owner hears.
fn place_unit(umpire: &mut Umpire<'_, Days>, place: Placement, clause: Clause) {
    let Placement { unit, pose, formation, hidden, crest } = place;
    let field = umpire.state();
    let side = field.side_of(unit);
    let stands = super::field::stands_at(field, unit, pose, formation);
    let tail = stands.iter().enumerate().any(|(n, one)| judge::is_tail(field, side, formation, n, one));
    let event = Event::new(judge::zone_clause(field, side), Deed::Placed { unit, pose, formation, hidden })
        .also(clause)
        .also_if(clause != Clause::SetUpAndBegin, Clause::HorseGunsFoot)
        .also_if(tail, Clause::TailsOffTheTable)
        .also_if(hidden && clause != Clause::WhereTroopsCanHide, Clause::WhereTroopsCanHide)
        .also_if(hidden, Clause::WritingItDown);
    umpire.announce(if hidden { event.only(side) } else { event });
    if crest.is_some() {
        let event = Event::own(Clause::BehindTheCrestOrOver, DaysEvent::AtCrest { unit, crest });
        hidden::announce(umpire, unit, event);
    }
}

#[cfg(test)]
mod tests;
