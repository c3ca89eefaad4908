//! Answers to what comes up in the middle of things: pursuits, supports, hits to spend on officers, odd choices.

use super::Careful;
use super::eye::Spot;
use super::scene::{Field, Scene, officer_help, passes, worth};
use engine::{CommanderId, UnitId};
use rules::awi::field::{facts, is_routing, soldiers, troops};
use rules::awi::fire::{self, Shot};
use rules::awi::melee::Round;
use rules::awi::order::{Order, Piece};
use rules::awi::sequence::Phase;
use rules::awi::unit::{Arm, Rating};

impl Careful {
    /// Routers in the order they try: whoever stands nearest to rallying first, so that he is there for the rest.
    pub fn rally_order(&mut self, field: &Field, units: &[UnitId]) -> Order {
        let mut order: Vec<(f64, UnitId)> =
            units.iter().map(|unit| (super::scene::steadiness(field, &mut self.eye, *unit), *unit)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Order::Sequence { units: order.into_iter().map(|(_, unit)| unit).collect() }
    }

    /// Whether to run after a unit that broke: if it is likely caught, or nothing else waits there.
    pub fn pursue(&mut self, field: &Field, unit: UnitId, quarry: UnitId) -> Order {
        let gap = table::gap(field.unit(unit).quad(), field.unit(quarry).quad()).as_f64();
        let looks = super::scene::range_of(&mut self.eye, unit, quarry, gap);
        let dice = match facts(field, unit).arm {
            Arm::Cavalry => field.charts().rout.horse.value.0,
            _ => field.charts().rout.foot.value.0,
        };
        let odds = engine::Spread::of_pool(dice, |pips| pips.iter().map(|pip| i32::from(*pip)).sum::<i32>());
        let catches = odds.chance(|total| f64::from(*total) + 0.3 >= looks);
        let marks = soldiers(field, unit).marks;
        let (factor, _) = officer_help(field, &mut self.eye, unit);
        let halts = passes(field, facts(field, unit).class, marks, factor);
        let gain = catches * worth(field, quarry, soldiers(field, quarry).marks) * 0.6;
        // What it costs to be carried away: out of the line, perhaps off the table.
        let risk = 0.08 + (1.0 - halts) * 0.3 * worth(field, unit, marks);
        if gain > risk { Order::Pursue } else { Order::Pass }
    }

    /// Whether a pursuer tries to halt: on only after a quarry that still runs.
    pub fn halt(&mut self, field: &Field, unit: UnitId) -> Order {
        let quarry = soldiers(field, unit).quarry.filter(|id| field.unit(*id).is_present() && is_routing(field, *id));
        let Some(quarry) = quarry else { return Order::TryHalt };
        let gap = table::gap(field.unit(unit).quad(), field.unit(quarry).quad()).as_f64();
        let looks = super::scene::range_of(&mut self.eye, unit, quarry, gap);
        let mean = if facts(field, unit).arm == Arm::Cavalry { 10.0 } else { 6.0 };
        if looks <= mean { Order::GoOn } else { Order::TryHalt }
    }

    /// A volley at a charge that fell short, unless it fell so short that the shot would be wasted.
    pub fn volley_at_failed(&mut self, field: &Field, unit: UnitId, at: UnitId) -> Order {
        let looks = super::scene::range(field, &mut self.eye, unit, at);
        let reach = super::shooting::longest(field, unit);
        if self.eye.within(looks, reach) > 0.5 { Order::Shoot } else { Order::Pass }
    }

    /// Who supports a charged friend: everybody who can, the best shot first.
    pub fn support(&mut self, field: &Field, charger: UnitId, able: &[UnitId]) -> Order {
        let mut best: Option<(f64, UnitId)> = None;
        for &unit in able {
            let volley = fire::volley(field, unit, charger, rules::awi::event::Band::Short, false);
            let hits = volley.map_or(0.0, |volley| f64::from(volley.dice.value) * super::volley::die_chance(&volley));
            let value = hits * super::scene::steadiness(field, &mut self.eye, unit);
            if best.is_none_or(|known| value > known.0) {
                best = Some((value, unit));
            }
        }
        best.filter(|(value, _)| *value > 0.1).map_or(Order::Pass, |(_, unit)| Order::Support { unit })
    }

    /// What the death of a commander is worth: his help, and those who may run for it.
    fn prize(&mut self, field: &Field, officer: CommanderId) -> f64 {
        let card = field.muster().commander(officer);
        let rating = match card.facts.rating {
            Rating::Poor => 0.0,
            Rating::Normal => 0.1,
            Rating::Good => 0.3,
            Rating::Excellent => 0.5,
        };
        let reach = field.charts().panic.commander_death.reach.value.0.as_inches();
        let mut shaken = 0.0;
        for (id, unit) in troops(field, card.side).filter(|(id, _)| field.card(*id).command == Some(card.commands)) {
            let gap = table::gap(unit.quad(), field.commander(officer).quad());
            if self.eye.judge(Spot::Unit(id), Spot::Commander(officer), gap.as_f64()) <= reach {
                let marks = soldiers(field, id).marks;
                shaken += (1.0 - passes(field, facts(field, id).class, marks, 0)) * worth(field, id, marks) * 0.5;
            }
        }
        rating + shaken
    }

    fn dearest(&mut self, field: &Field, able: &[CommanderId]) -> Option<(f64, CommanderId)> {
        let priced: Vec<(f64, CommanderId)> = able.iter().map(|id| (self.prize(field, *id), *id)).collect();
        priced.into_iter().max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    }

    /// Whether to spend a hit of a shot on a commander.
    pub fn attempt(&mut self, scene: &Scene<'_, '_>, able: &[CommanderId]) -> Order {
        let field = scene.field();
        let (Some((prize, on)), Some(Phase::Shot(shot))) = (self.dearest(field, able), field.agenda().last()) else {
            return Order::Pass;
        };
        let Shot { at, hits, .. } = shot;
        let marks = soldiers(field, *at).marks;
        // A hit more than the target has marks is free; else it costs what the mark is worth.
        let spared = marks.saturating_sub(hits.saturating_sub(1));
        let cost = worth(field, *at, spared) - worth(field, *at, marks.saturating_sub(*hits));
        let odds = 1.0 / 6.0;
        if prize * odds > cost { Order::Attempt { on } } else { Order::Pass }
    }

    /// How many melee hits to spend on commanders: those nobody is left to suffer, or where he is worth more.
    pub fn divert(&mut self, scene: &Scene<'_, '_>, hits: u8, able: &[CommanderId]) -> Order {
        let field = scene.field();
        let (Some((prize, on)), Some(Phase::Round(round))) = (self.dearest(field, able), field.agenda().last()) else {
            return Order::Pass;
        };
        let Round { losses, .. } = round;
        // The hit given up is the last one scored.
        let last = losses.iter().rev().find(|unit| field.side_of(**unit) != scene.side);
        let Some(&unit) = last else { return Order::Pass };
        let suffered = losses.iter().filter(|other| **other == unit).count() as u8;
        let marks = soldiers(field, unit).marks;
        let (with, without) = (marks.saturating_sub(suffered), marks.saturating_sub(suffered.saturating_sub(1)));
        let cost = worth(field, unit, without) - worth(field, unit, with);
        if hits > 0 && prize / 6.0 > cost { Order::Divert { on: vec![on] } } else { Order::Pass }
    }

    /// Whom an odd mark hurts most.
    pub fn strike(&mut self, field: &Field, among: &[UnitId]) -> Order {
        let loss = |unit: UnitId| {
            let marks = soldiers(field, unit).marks;
            let nerve = passes(field, facts(field, unit).class, marks.saturating_sub(1), 0);
            worth(field, unit, marks) - worth(field, unit, marks.saturating_sub(1)) * nerve
        };
        let hurt = among.iter().copied().max_by(|a, b| loss(*a).total_cmp(&loss(*b)).then(b.cmp(a)));
        hurt.map_or(Order::Pass, |unit| Order::Strike { unit })
    }

    /// Which of equally near pieces an odd shell hit goes to: an enemy, and the weakest.
    pub fn tie(&mut self, scene: &Scene<'_, '_>, among: &[Piece]) -> Order {
        let field = scene.field();
        let rank = |piece: &Piece| match piece {
            Piece::Unit(id) if field.side_of(*id) != scene.side => 10 - i32::from(soldiers(field, *id).marks),
            Piece::Commander(id) if field.muster().commander(*id).side != scene.side => 0,
            _ => -10,
        };
        let best = among.iter().copied().max_by_key(|piece| (rank(piece), std::cmp::Reverse(*piece)));
        best.map_or(Order::Pass, |piece| Order::Pick { piece })
    }
}
