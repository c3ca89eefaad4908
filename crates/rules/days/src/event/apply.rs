//! How events change the pieces: the only place where they change.

use super::{Cause, DaysEvent, Doing, Fire, Search};
use crate::Days;
use crate::unit::{Absent, Health, OrderState, Staff, Troops, TurnRecord};
use engine::{Pieces, UnitId};
use smallvec::SmallVec;

/// Changes pieces.
pub fn apply(pieces: &mut Pieces<'_, Days>, event: &DaysEvent) {
    use DaysEvent as E;
    match event {
        E::Step { step } => pieces.ledger().step = *step,
        E::Initiative { side } => pieces.ledger().initiative = *side,
        E::Wind { to } => pieces.ledger().wind = Some(*to),
        E::Decided { rule, on } => pieces.ledger().disputed.push((*rule, *on)),
        E::Seated { south } => pieces.ledger().south = Some(*south),
        E::Quality { general, quality, successor } => {
            let staff = pieces.commander(*general);
            let lost_before =
                staff.lost_before + u8::from(*successor && !matches!(staff.health, Health::Wounded { .. }));
            if *successor {
                *staff = Staff { lost_before, ..Staff::default() };
            }
            staff.quality = Some(*quality);
        }
        E::DeploysFirst { side } => pieces.ledger().deploys_second = Some(side.other()),
        E::KeptOff { brigade } => pieces.ledger().absent.push(Absent { brigade: *brigade, entry: None }),
        E::Announced { brigade, edge, at } => {
            // Whoever never heard of the brigade hears of it now.
            let absent = &mut pieces.ledger().absent;
            absent.retain(|one| one.brigade != *brigade);
            absent.push(Absent { brigade: *brigade, entry: Some((*edge, *at)) });
        }
        E::ArrivedWhole { brigade } => pieces.ledger().absent.retain(|one| one.brigade != *brigade),
        E::Waits { unit, at } => pieces.unit(*unit).waits_at = *at,
        E::ChargeBegins { unit, charge } => {
            let troops = pieces.unit(*unit);
            troops.charge = Some(charge.clone());
            troops.turn.charged = true;
        }
        E::ChargeGoes { unit, stage, gone, left } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                (charge.stage, charge.gone, charge.left) = (*stage, *gone, *left);
            }
        }
        E::ChargeTurns { unit, at } => {
            if let Some(charge) = &mut pieces.unit(*unit).charge {
                charge.at = *at;
            }
        }
        E::ChargeEnds { unit, .. } => pieces.unit(*unit).charge = None,
        E::OrderIs { unit, order } => {
            let troops = pieces.unit(*unit);
            troops.order = *order;
            troops.routed_before |= *order == OrderState::Routing;
            if *order == OrderState::Good {
                troops.swamped = false;
            }
        }
        E::Swamped { unit, swamped } => pieces.unit(*unit).swamped = *swamped,
        E::ToGround { unit, down } => pieces.unit(*unit).to_ground = *down,
        E::Pursues { unit, after } => pieces.unit(*unit).pursuing = *after,
        E::Did { unit, doing } => pieces.unit(*unit).turn.remember(*doing),
        E::Reserved { unit, stands } => pieces.unit(*unit).turn.reserved = *stands,
        E::Fired { unit, stands, by, at } => {
            let turn = &mut pieces.unit(*unit).turn;
            (turn.fired, turn.fired_by, turn.fired_at) = (*stands, *by, *at);
        }
        E::FirstFireSpent { unit } => pieces.unit(*unit).first_fire_used = true,
        E::ShotDown { unit, stands, by, cause } => {
            let turn = &mut pieces.unit(*unit).turn;
            turn.lost = turn.lost.saturating_add(*stands);
            if *cause != Cause::DefensiveFire {
                turn.shot_down = turn.shot_down.saturating_add(*stands);
                turn.shot_by = by.or(turn.shot_by);
            }
        }
        E::Guns { battery, guns, horses } => {
            let troops = pieces.unit(*battery);
            troops.guns.clone_from(guns);
            troops.horses = *horses;
        }
        E::CrewAway { battery, away } => pieces.unit(*battery).crew_away = *away,
        E::Health { general, health } => {
            let staff = pieces.commander(*general);
            staff.health = *health;
            if *health != Health::Fit {
                staff.attached = None;
            }
        }
        E::Unhorsed { general, unhorsed } => pieces.commander(*general).unhorsed = *unhorsed,
        E::Ablaze { feature, since } => {
            let fires = &mut pieces.ledger().fires;
            if fires.iter().all(|fire| fire.feature != *feature) {
                fires.push(Fire { feature: *feature, since: *since });
            }
        }
        E::WoodIs { feature, weight } => pieces.ledger().woods.push((*feature, *weight)),
        E::FordSought { river, at, found } => {
            pieces.ledger().fords.push(Search { river: *river, at: *at, found: *found });
        }
        E::Works { unit, work } => pieces.unit(*unit).work.clone_from(work),
        E::BridgeMined { bridge, fell } => {
            let ledger = pieces.ledger();
            ledger.mined.push(*bridge);
            if *fell {
                ledger.broken.push(*bridge);
            }
        }
        E::GapCleared { obstacle, at } => pieces.ledger().gaps.push((*obstacle, *at)),
        E::Raised { barrier } => pieces.ledger().barriers.push(*barrier),
        E::Breached { barrier, at } => pieces.ledger().breaches.push((*barrier, *at)),
        E::SpanMined { span, fell } => {
            let (spans, no) = (&mut pieces.ledger().spans, usize::from(*span));
            if *fell && no < spans.len() {
                spans.remove(no);
            } else {
                spans.iter_mut().skip(no).take(1).for_each(|span| span.mined = true);
            }
        }
        E::SpanLaid { span, party, left } => {
            pieces.unit(*party).pontoons = *left;
            pieces.ledger().spans.push(*span);
        }
        E::Routs { unit, .. } => {
            let troops = pieces.unit(*unit);
            troops.order = OrderState::Routing;
            (troops.routed_before, troops.to_ground) = (true, false);
            (troops.charge, troops.pursuing, troops.work) = (None, None, None);
            (troops.turn.reserved, troops.broke_into, troops.relieved) = (0, None, None);
        }
        E::Ran { unit, so_far } => pieces.unit(*unit).turn.routed = *so_far,
        E::EvadedOff { unit, off } => pieces.unit(*unit).evaded_off = *off,
        E::PushedBack { unit, turn } => {
            let troops = pieces.unit(*unit);
            (troops.pushed_back, troops.turn.pushed, troops.to_ground) = (Some(*turn), true, false);
        }
        E::MustAdvance { unit, towards, .. } => pieces.unit(*unit).onward = Some(*towards),
        E::BreaksInto { unit, into } => pieces.unit(*unit).broke_into = *into,
        E::Contact { unit, with } => {
            for (one, other) in [(*unit, *with), (*with, *unit)] {
                let contact = &mut pieces.unit(one).contact;
                if !contact.contains(&other) {
                    contact.push(other);
                }
            }
        }
        E::Parted { unit, from } => part(pieces, *unit, *from),
        E::WonLast { unit, won } => pieces.unit(*unit).won_last = *won,
        E::FoughtBefore { unit } => pieces.unit(*unit).fought_before = true,
        E::Attached { general, unit } => pieces.commander(*general).attached = *unit,
        E::PartyAttached { party, unit } => pieces.unit(*party).attached = *unit,
        E::StaffRouts { general, routing } => pieces.commander(*general).routing = *routing,
        E::GeneralMoved { general } => pieces.commander(*general).moved = true,
        E::TriedToRally { general } => pieces.commander(*general).rallied = true,
        E::Mounted { unit, mounted } => pieces.unit(*unit).mounted = *mounted,
        E::HoldersLost { unit } => pieces.unit(*unit).holders_lost = true,
        E::Relieved { unit, by } => pieces.unit(*unit).relieved = *by,
        E::AtCrest { unit, crest } => pieces.unit(*unit).crest = *crest,
        E::Crossed { crossing } => pieces.ledger().crossings.push(*crossing),
        E::CrossingsGone { seen_by } => pieces.ledger().crossings.retain(|one| one.seen_by != *seen_by),
        E::Cleared => clear(pieces),
        E::Mustered { .. } | E::Engaged { .. } | E::Bought { .. } | E::Counted { .. } => {}
        E::InitiativeTied | E::Scouted { .. } | E::Declared { .. } | E::Tested { .. } | E::Volley { .. } => {}
        E::Bounces { .. } | E::BatteryHit { .. } | E::AtRisk { .. } | E::PartyHit { .. } | E::NoFire { .. } => {}
        E::Score { .. } | E::LossesShared { .. } | E::Stays { .. } | E::Burnt { .. } => {}
        E::WorkDone { .. } | E::BurstThrough { .. } | E::Advances { .. } | E::Melee { .. } | E::Captured { .. } => {}
    }
}

/// Both sides of a contact forget each other.
fn part(pieces: &mut Pieces<'_, Days>, unit: UnitId, from: Option<UnitId>) {
    let others: SmallVec<[UnitId; 2]> = match from {
        Some(other) => SmallVec::from_slice(&[other]),
        None => pieces.unit(unit).contact.clone(),
    };
    for other in others {
        pieces.unit(unit).contact.retain(|one| *one != other);
        pieces.unit(other).contact.retain(|one| *one != unit);
    }
    let troops: &mut Troops = pieces.unit(unit);
    if troops.contact.is_empty() {
        troops.won_last = false;
    }
}

/// A new turn begins with a clean slate.
fn clear(pieces: &mut Pieces<'_, Days>) {
    pieces.each_unit(|_, _, troops| {
        troops.steady = !troops.turn.moved && !troops.turn.reformed;
        troops.turn = TurnRecord::default();
        troops.onward = troops.onward.filter(|_| troops.broke_into.is_some());
        troops.guns.iter_mut().for_each(|gun| gun.damaged = gun.damaged.saturating_sub(1));
    });
    pieces.each_commander(|_, _, staff| (staff.rallied, staff.moved) = (false, false));
}

impl TurnRecord {
    /// Remembers what a unit did.
    fn remember(&mut self, doing: Doing) {
        let slot = match doing {
            Doing::Moved => &mut self.moved,
            Doing::Reformed => &mut self.reformed,
            Doing::TriedCharge => &mut self.tried_charge,
            Doing::ChargeFailed => &mut self.charge_failed,
            Doing::Charged => &mut self.charged,
            Doing::Feinted => &mut self.feinted,
            Doing::Stood => &mut self.stood,
            Doing::Evaded => &mut self.evaded,
            Doing::PassedLines => &mut self.passed_lines,
            Doing::Halted => &mut self.halted,
            Doing::Stopped => &mut self.stopped,
            Doing::Rallied => &mut self.rallied,
            Doing::Fought => &mut self.fought,
            Doing::Worked => &mut self.worked,
            Doing::Forced => &mut self.forced,
            Doing::Searched => &mut self.searched,
            Doing::Silenced => &mut self.silenced,
            Doing::Broken => &mut self.broken,
            Doing::ShotFromBehind => &mut self.shot_from_behind,
            Doing::Screened => &mut self.screened,
        };
        *slot = true;
    }
}
