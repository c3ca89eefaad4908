//! What a force costs, line by line. Sections 5 and 6, B.2.

use super::Days;
use super::charts::{Charts, Count, count, plain, reach};
use super::clause::Clause;
use super::event::DaysEvent;
use super::field::{EMPIRE, Field, by_book, facts, is_there, members};
use super::hidden;
use super::unit::{Arm, Facts, OrderState, Rank, Trait};
use engine::telling::ForceLine;
use engine::{Cited, CommandId, CommanderId, Event, Reckoning, Side, Umpire, UnitId};
use table::Length;

/// A side's force, command by command.
pub fn lines(field: &Field, side: Side) -> Vec<ForceLine> {
    let mut lines = Vec::new();
    let muster = field.muster();
    let tops =
        muster.command_ids().filter(|id| muster.command(*id).side == side && muster.command(*id).parent.is_none());
    for command in tops {
        add_command(field, command, 0, &mut lines);
    }
    for unit in muster.unit_ids().filter(|id| field.side_of(*id) == side && field.card(*id).command.is_none()) {
        lines.extend(unit_line(field, unit, 0));
    }
    lines.extend(extras_line(field, side));
    lines
}

/// What a whole force costs, bought works included (days.6-a).
pub fn points(field: &Field, side: Side) -> u32 {
    let muster = field.muster();
    let units = muster.unit_ids().filter(|id| field.side_of(*id) == side).map(|id| facts(field, id).points);
    let generals = muster.commander_ids().map(|id| muster.commander(id)).filter(|card| card.side == side);
    units.sum::<u32>() + generals.map(|card| card.facts.points).sum::<u32>() + muster.scenario.extras[side]
}

/// What a command costs: its general, its units, and all below him.
pub fn command_points(field: &Field, command: CommandId) -> u32 {
    let muster = field.muster();
    let general = muster.command(command).commander.map_or(0, |id| muster.commander(id).facts.points);
    let units: u32 = members(field, command).map(|id| facts(field, id).points).sum();
    let below = muster.command_ids().filter(|id| muster.command(*id).parent == Some(command));
    general + units + below.map(|id| command_points(field, id)).sum::<u32>()
}

fn add_command(field: &Field, command: CommandId, depth: u8, lines: &mut Vec<ForceLine>) {
    let muster = field.muster();
    let card = muster.command(command);
    let (what, points) = card.commander.map_or((String::new(), 0), |id| (general_words(field, id), cost_of(field, id)));
    lines.push(ForceLine { depth, name: card.name.clone(), what, points: Some(whole(points)) });
    for unit in members(field, command) {
        lines.extend(unit_line(field, unit, depth + 1));
    }
    for below in muster.command_ids().filter(|id| muster.command(*id).parent == Some(command)) {
        add_command(field, below, depth + 1, lines);
    }
}

fn cost_of(field: &Field, general: CommanderId) -> u32 {
    field.muster().commander(general).facts.points
}

fn general_words(field: &Field, id: CommanderId) -> String {
    let (card, quality) = (field.muster().commander(id), field.commander(id).own.quality);
    let rank = match card.facts.rank {
        Rank::Army => "the player's general",
        Rank::Division => "division general",
        Rank::Brigade => "brigade general",
    };
    let quality = quality.map_or("to be diced for", super::unit::Quality::word);
    format!("{}, {rank}, {quality}", card.name)
}

/// Parts are stands of units that are listed already.
fn unit_line(field: &Field, unit: UnitId, depth: u8) -> Option<ForceLine> {
    let (card, facts) = (field.card(unit), facts(field, unit));
    let listed = facts.part.is_none();
    let line =
        || ForceLine { depth, name: card.name.clone(), what: words(field, unit), points: Some(whole(facts.points)) };
    listed.then(line)
}

fn words(field: &Field, unit: UnitId) -> String {
    let facts = facts(field, unit);
    let (start, left) = (facts.start, field.unit(unit).body.stands.count());
    let size = |one: &str| if start == 1 { format!("1 {one}") } else { format!("{start} {one}s") };
    let what = match facts.arm {
        Arm::Infantry => format!("infantry, Class {}, {}, {}", facts.class, size("stand"), facts.weapon),
        Arm::Cavalry => format!("{} cavalry, Class {}, {}", weight(facts), facts.class, size("stand")),
        Arm::Artillery if facts.is(Trait::Horse) => {
            format!("horse artillery, Class {}, {}, {}", facts.class, size("model"), facts.weapon)
        }
        Arm::Artillery => format!("artillery, Class {}, {}, {}", facts.class, size("model"), facts.weapon),
        Arm::Engineers => format!("engineer officer with {} pioneers", start.saturating_sub(1)),
        Arm::Wagon => "pontoon wagon".to_owned(),
    };
    let order = match super::field::order(field, unit) {
        OrderState::Good => String::new(),
        order => format!(", {}", order.word()),
    };
    let losses =
        if is_there(field, unit) && left < u32::from(start) { format!(", {left} left") } else { String::new() };
    format!("{}{losses}{order}", what.replace('_', " "))
}

fn weight(facts: &Facts) -> &'static str {
    let kinds = [Trait::Cuirassier, Trait::Heavy, Trait::Medium, Trait::Light];
    kinds.into_iter().find(|one| facts.is(*one)).map_or("other", Trait::word)
}

fn extras_line(field: &Field, side: Side) -> Option<ForceLine> {
    let scenario = &field.muster().scenario;
    let (works, boats) = (scenario.earthworks[side], scenario.pontoons[side]);
    let what = match (works > Length::ZERO, boats > Length::ZERO) {
        (true, true) => format!("{works} of earthworks, {boats} of pontoons"),
        (true, false) => format!("{works} of earthworks"),
        (false, true) => format!("{boats} of pontoons"),
        (false, false) => return None,
    };
    Some(ForceLine { depth: 0, name: "Bought besides".to_owned(), what, points: Some(whole(scenario.extras[side])) })
}

fn whole(points: u32) -> i32 {
    i32::try_from(points).unwrap_or(i32::MAX)
}

/// What a unit costs, sum by sum (days.6.1-d). Parts, wagons and limbers are free (days.5.2-d).
pub fn price(charts: &Charts, empire: bool, facts: &Facts) -> Reckoning {
    let mut sum = Reckoning::new();
    let (points, start) = (&charts.points, i32::from(facts.start));
    let mut add = |clause: Clause, label: String, cell: Cited<Count>| {
        sum.add(clause, label, plain(cell).map(|each| each * start));
    };
    if facts.part.is_some() {
        return sum;
    }
    match facts.arm {
        Arm::Infantry => {
            add(
                Clause::PriceOfFoot,
                format!("{start} stands of Class {}", facts.class),
                points.infantry.of(facts.class),
            );
            if let Some(arm) = charts.small_arms.get(&facts.weapon) {
                add(weapon_clause(empire, &facts.weapon), format!("{start} × {}", facts.weapon), arm.cost);
            }
        }
        Arm::Cavalry => {
            add(
                Clause::PriceOfHorse,
                format!("{start} stands of Class {}", facts.class),
                points.cavalry.of(facts.class),
            );
            let cuirass = points.modifier.get(Trait::Cuirassier.word()).filter(|_| facts.is(Trait::Cuirassier));
            if let Some(cuirass) = cuirass.filter(|_| !empire) {
                add(Clause::ThePriceOfACuirass, format!("{start} × cuirass"), *cuirass);
            }
        }
        Arm::Artillery => {
            if let Some(gun) = charts.gun.get(&facts.weapon) {
                let label = format!("{start} × {}", facts.weapon.replace('_', " "));
                add(gun_clause(empire, &facts.weapon), label, gun.cost);
            }
            if facts.is(Trait::Horse) {
                add(Clause::GunsThatGallop, format!("{start} × horse artillery"), points.horse_artillery);
            }
        }
        Arm::Engineers => {
            sum.add(Clause::EngineersAndTheirTrain, "engineers and their train", plain(points.engineers));
        }
        Arm::Wagon => {
            sum.add(Clause::LimbersCostNothing, "train", plain(points.train));
        }
    }
    sum
}

/// What one model of a battery costs.
pub fn model_price(charts: &Charts, facts: &Facts) -> u32 {
    let gun = charts.gun.get(&facts.weapon).filter(|_| facts.is_battery()).map_or(0, |gun| count(gun.cost));
    let horse = if facts.is_battery() && facts.is(Trait::Horse) { count(charts.points.horse_artillery) } else { 0 };
    gun + horse
}

/// What a general costs (days.5.1-a to -c).
pub fn general_price(charts: &Charts, rank: Rank) -> Cited<Count> {
    match rank {
        Rank::Army => charts.points.general_army,
        Rank::Division => charts.points.general_division,
        Rank::Brigade => charts.points.general_brigade,
    }
}

/// What bought works and pontoons cost, for each started length (days.5.2-f, -g).
pub fn extras_price(charts: &Charts, earthworks: Length, pontoons: Length) -> Reckoning {
    let points = &charts.points;
    let mut sum = Reckoning::new();
    let mut add = |clause: Clause, label: String, length: Length, each: Length, cell: Cited<Count>| {
        if length > Length::ZERO && each > Length::ZERO {
            let times = length.as_um().saturating_add(each.as_um() - 1) / each.as_um();
            sum.add(clause, label, plain(cell).map(|price| price.saturating_mul(times)));
        }
    };
    let (bank, boats) = (reach(points.earthworks_each), reach(points.pontoon_each));
    add(Clause::PayingForEarthworks, format!("{earthworks} of earthworks"), earthworks, bank, points.earthworks);
    add(Clause::BuyingMorePontoons, format!("{pontoons} of pontoons"), pontoons, boats, points.pontoon);
    sum
}

fn weapon_clause(empire: bool, weapon: &str) -> Clause {
    match (empire, weapon) {
        (false, "dreyse" | "podewils") => Clause::DreyseAndPodewils,
        (false, "chassepot" | "werder") => Clause::ChassepotAndWerder,
        (true, "rifle") => Clause::ThePriceOfRifles,
        _ => Clause::PriceOfFoot,
    }
}

fn gun_clause(empire: bool, gun: &str) -> Clause {
    match (empire, gun) {
        (false, "ml_field") => Clause::GunsLoadedByMuzzle,
        (false, "bl_field" | "mitrailleuse") => Clause::BreechLoadersAndMitrailleuses,
        (false, _) => Clause::SiegeGunsAndHowitzers,
        (true, "field_gun" | "howitzer") => Clause::FieldGunsAndHowitzers,
        (true, _) => Clause::TheSiegeTrain,
    }
}

/// The roll-call before the first turn: what everybody on the table costs, and what was bought besides (days.3.3-d).
pub fn roll_call(umpire: &mut Umpire<'_, Days>) {
    for side in Side::BOTH {
        let field = umpire.state();
        let generals: Vec<CommanderId> = field
            .muster()
            .commander_ids()
            .filter(|id| field.muster().commander(*id).side == side && field.commander(*id).is_present())
            .collect();
        let units: Vec<UnitId> = field.present(side).map(|(id, _)| id).collect();
        for general in generals {
            let event = general_event(umpire.state(), general);
            umpire.announce(event);
        }
        for unit in units {
            if let Some(event) = unit_event(umpire.state(), unit) {
                hidden::announce(umpire, unit, event);
            }
        }
        if let Some(event) = extras_event(umpire.state(), side) {
            umpire.announce(event);
        }
    }
}

/// What a unit brings and costs; nothing for parts, which cost nothing by themselves.
pub fn unit_event(field: &Field, unit: UnitId) -> Option<Event<Days>> {
    let facts = facts(field, unit);
    if facts.part.is_some() {
        return None;
    }
    let bill = price(field.charts(), field.muster().edition == EMPIRE, facts);
    let (crew, horses) = (field.unit(unit).own.crew() as u8, field.unit(unit).own.horses);
    let (points, start, class) = (facts.points, facts.start, facts.class);
    let event = DaysEvent::Mustered { unit, points, start, class, crew, horses };
    let event = Event::own(Clause::AddingUpAUnit, event).also(Clause::OneBasingForAll);
    let event = match facts.arm {
        Arm::Infantry => event.also(Clause::StandsOneInchSquare).also(Clause::ABattalionOfTwelve).also(by_book(
            field,
            Clause::ASumToCheckIron,
            Clause::ASumToCheckEmpire,
        )),
        Arm::Cavalry => event.also(Clause::StandsOneInchSquare).also(Clause::SizeOfCavalryUnits),
        Arm::Artillery => event
            .also(Clause::GunsAndWagons)
            .also(Clause::OneTeamForABattery)
            .also(Clause::HorsesInTheTeam)
            .also(Clause::LimbersCostNothing)
            .also_if(field.muster().edition != EMPIRE, Clause::ThreeSortsOfArtillery),
        Arm::Engineers => event.also(Clause::StandsOneInchSquare),
        Arm::Wagon => event.also(Clause::GunsAndWagons),
    };
    let classed = matches!(facts.arm, Arm::Infantry | Arm::Cavalry | Arm::Artillery);
    let event = event
        .also_if(classed, Clause::AClassForEveryUnit)
        .also_if(classed, Clause::TheSameThroughout)
        .also_if(classed && is_mixed(field, unit), Clause::ClassesMayBeMixed)
        .also_if(facts.entry.is_some(), Clause::ChoosingAClass)
        .also(Clause::OrdersOfBattle)
        .also(Clause::EveryoneHasAGeneral);
    Some(event.because(bill))
}

/// Whether its brigade has units of another class.
fn is_mixed(field: &Field, unit: UnitId) -> bool {
    let class = facts(field, unit).class;
    let other = |id: UnitId| facts(field, id).class > 0 && facts(field, id).class != class;
    field.card(unit).command.is_some_and(|command| members(field, command).any(other))
}

/// What a general costs.
pub fn general_event(field: &Field, general: CommanderId) -> Event<Days> {
    let rank = field.muster().commander(general).facts.rank;
    let clause = match rank {
        Rank::Army => Clause::ThePlayersOwnGeneral,
        Rank::Division => by_book(field, Clause::DivisionAndCorpsGenerals, Clause::GeneralsOfDivision),
        Rank::Brigade => Clause::GeneralsOfBrigade,
    };
    let mut bill = Reckoning::new();
    bill.add(clause, format!("{} general", rank.word()), plain(general_price(field.charts(), rank)));
    let event = DaysEvent::Engaged { general, points: cost_of(field, general) };
    Event::own(clause, event).also(Clause::StandsOneInchSquare).because(bill)
}

/// What a side bought besides, and what its whole force comes to.
pub fn extras_event(field: &Field, side: Side) -> Option<Event<Days>> {
    let scenario = &field.muster().scenario;
    let (earthworks, pontoons) = (scenario.earthworks[side], scenario.pontoons[side]);
    let bill = extras_price(field.charts(), earthworks, pontoons);
    let event = DaysEvent::Bought { side, earthworks, pontoons, points: scenario.extras[side] };
    let works = earthworks > Length::ZERO;
    let event = Event::own(if works { Clause::PayingForEarthworks } else { Clause::BuyingMorePontoons }, event)
        .also_if(works, Clause::WhoMayBuyWorks)
        .because(bill);
    (scenario.extras[side] > 0).then_some(event)
}
