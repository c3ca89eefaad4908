//! The player's hand: which piece it holds, which gesture it is about to make, and what the rules say of it so far.
//!
//! Nothing here knows a game or a page. Gestures come from the prompt; whatever the hand has in mind becomes a draft,
//! and the board judges the draft.

use crate::steer::{self, Tool};
use engine::blanks::{self as fill, blank};
use engine::facade::Board;
use engine::scene::{Gesture, Ghost, PlanKind, Prompt, Scene, ScenePiece, Sketch};
use engine::{Odds, Verdict};
use serde_json::Value;
use table::march::{Leg, Track};
use table::{Angle, Footprint, Length, Point, Pose};

/// So many suggestions for a set-up are looked at.
const SUGGESTIONS: usize = 6;

/// A gesture being made.
#[derive(Clone, PartialEq, Debug)]
pub enum Making {
    /// One press: shown once before it is given where it deserves a second look.
    Press,
    /// A piece is chosen.
    Piece(Option<String>),
    /// A target is chosen.
    Target(Option<String>),
    /// A path is drawn: legs that stand, legs under the pointer, and how the pointer is read.
    Path { legs: Vec<Leg>, live: Vec<Leg>, tool: Tool },
    /// A place is pointed at.
    Place(Option<Point>),
    /// A formation and a facing are chosen.
    Form { into: usize, facing: Option<Angle> },
    /// A bearing and a distance are set.
    Lay { bearing: Angle, distance: Length },
    /// Blocks are laid around a target: columns across and rows along the line of fire.
    Blocks { target: Option<String>, cells: Vec<(i8, i8)> },
    /// Dice are dealt: who gets each die, and the die between two fingers.
    Deal { owners: Vec<Option<usize>>, held: Option<usize> },
    /// Troops are set up: the whole draft, and the piece in hand.
    SetUp { draft: Value, held: Option<String> },
    /// Spots are marked.
    Spots(Vec<Point>),
    /// Pieces are put in order.
    Sequence(Vec<String>),
    /// Some pieces are chosen among many.
    Subset(Vec<String>),
    /// One order for each: what was chosen, and the option that is being filled in.
    Each { chosen: Vec<Option<(usize, Value)>>, open: Option<Open> },
}

/// An option of a plan that waits for the map: of which piece, which one, and how far it has got.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    pub piece: usize,
    pub option: usize,
    pub inner: Box<Making>,
}

/// What the rules say of the draft in hand.
#[derive(Clone, Debug)]
pub struct Judged {
    pub draft: Value,
    pub verdict: Result<Verdict, String>,
    /// Whom each refusal is about, by key.
    pub about: Vec<Option<String>>,
    /// Whom each refusal concerns together.
    pub among: Vec<Vec<String>>,
    pub ghosts: Vec<Ghost>,
    pub aims: Vec<Sketch>,
    pub odds: Option<Odds>,
}

impl Judged {
    pub fn of(board: &dyn Board, draft: Value) -> Judged {
        let verdict = board.check(&draft);
        let ghosts = board.ghosts(&draft);
        let odds = if verdict.as_ref().is_ok_and(Verdict::is_legal) { board.odds(&draft) } else { None };
        let aims = board.aims(Some(&draft));
        let about = verdict.as_ref().map(|verdict| whom(board, verdict)).unwrap_or_default();
        let among = verdict.as_ref().map(|verdict| together(board, verdict)).unwrap_or_default();
        Judged { draft, verdict, about, among, ghosts, aims, odds }
    }

    /// Whether the plan is refused because this piece has not done its share.
    pub fn is_owing(&self, key: &str) -> bool {
        self.among.iter().flatten().any(|owing| owing == key)
    }

    /// Whether anything speaks against what this piece would do.
    pub fn is_against(&self, key: &str) -> bool {
        self.about.iter().any(|about| about.as_deref() == Some(key))
    }

    pub fn is_legal(&self) -> bool {
        self.verdict.as_ref().is_ok_and(Verdict::is_legal)
    }
}

fn whom(board: &dyn Board, verdict: &Verdict) -> Vec<Option<String>> {
    verdict.refusals.iter().map(|note| note.about.and_then(|unit| board.key_of(unit))).collect()
}

fn together(board: &dyn Board, verdict: &Verdict) -> Vec<Vec<String>> {
    let keys = |note: &engine::Note| note.among.iter().filter_map(|unit| board.key_of(*unit)).collect();
    verdict.refusals.iter().map(keys).collect()
}

/// The hand.
#[derive(Clone, Default, Debug)]
pub struct Hand {
    /// The piece it points at, with the `@`.
    pub selected: Option<String>,
    /// The gesture being made: its place in the prompt, and how far it has got.
    pub making: Option<(usize, Making)>,
    /// What the rules say of it.
    pub judged: Option<Judged>,
    /// A piece of a plan is being dragged: the rest of the plan is not looked at meanwhile.
    pub dragging: bool,
}

/// What the hand works on.
pub struct Context<'t> {
    pub board: &'t dyn Board,
    pub prompt: &'t Prompt,
    pub scene: &'t Scene,
}

/// The piece a gesture belongs to.
pub fn piece_of(gesture: &Gesture) -> Option<&str> {
    match gesture {
        Gesture::Button { of, .. } => of.as_deref(),
        Gesture::PickTarget { by, .. } => Some(by),
        Gesture::DrawPath { unit, .. } | Gesture::PickFormation { unit, .. } | Gesture::LayBlocks { unit, .. } => {
            Some(unit)
        }
        Gesture::PickUnits { .. } | Gesture::DealDice { .. } | Gesture::Plan { .. } => None,
    }
}

/// On the gesture's button.
pub fn label_of(gesture: &Gesture) -> String {
    match gesture {
        Gesture::Button { label, .. }
        | Gesture::PickUnits { label, .. }
        | Gesture::PickTarget { label, .. }
        | Gesture::DrawPath { label, .. }
        | Gesture::PickFormation { label, .. }
        | Gesture::LayBlocks { label, .. }
        | Gesture::Plan { label, .. } => label.clone(),
        Gesture::DealDice { .. } => "Deal the dice".to_owned(),
    }
}

/// The draft with its blanks.
pub fn draft_of(gesture: &Gesture) -> &Value {
    match gesture {
        Gesture::Button { draft, .. }
        | Gesture::PickUnits { draft, .. }
        | Gesture::PickTarget { draft, .. }
        | Gesture::DrawPath { draft, .. }
        | Gesture::PickFormation { draft, .. }
        | Gesture::LayBlocks { draft, .. }
        | Gesture::DealDice { draft, .. }
        | Gesture::Plan { draft, .. } => draft,
    }
}

/// The rectangle a drawn piece covers, as marching needs it.
pub fn footprint(piece: &ScenePiece) -> Footprint {
    let corners = piece.stands.iter().flatten().map(|corner| piece.pose.to_local(corner.vec()));
    let (mut half, mut deep) = (0.0_f64, 0.0_f64);
    for corner in corners {
        half = half.max(corner.x.abs());
        deep = deep.max(-corner.y);
    }
    Footprint::new(Length::from_um(half * 2.0), Length::from_um(deep))
}

/// An option of a plan that has one order for each piece.
pub fn option_of(gesture: &Gesture, piece: usize, option: usize) -> Option<&Gesture> {
    match gesture {
        Gesture::Plan { kind: PlanKind::Each { options }, .. } => options.get(piece)?.1.get(option),
        _ => None,
    }
}

/// A gesture's draft with what was made of it filled in, once nothing needed is missing.
pub fn filled(gesture: &Gesture, making: &Making) -> Option<Value> {
    let draft = draft_of(gesture);
    let full = match making {
        Making::Press => draft.clone(),
        Making::Piece(piece) => fill::fill(draft, blank::PIECE, piece.as_ref()?),
        Making::Target(target) => fill::fill(draft, blank::TARGET, target.as_ref()?),
        Making::Path { legs, live, .. } => {
            let all: Vec<&Leg> = legs.iter().chain(live).collect();
            if all.is_empty() {
                return None;
            }
            fill::fill(draft, blank::LEGS, &all)
        }
        Making::Place(point) => fill::fill(draft, blank::POINT, point.as_ref()?),
        Making::Form { into, facing } => {
            let Gesture::PickFormation { into: words, .. } = gesture else { return None };
            let draft = fill::fill(draft, blank::FORMATION, words.get(*into)?);
            match facing {
                Some(facing) => fill::fill(&draft, blank::FACING, facing),
                None => fill::without(&draft, blank::FACING),
            }
        }
        Making::Lay { bearing, distance } => {
            fill::fill(&fill::fill(draft, blank::BEARING, bearing), blank::DISTANCE, distance)
        }
        Making::Blocks { target, cells } => {
            let draft = fill::fill(draft, blank::TARGET, target.as_ref()?);
            if cells.is_empty() {
                return None;
            }
            fill::without(&fill::fill(&draft, blank::BLOCKS, cells), blank::POINT)
        }
        Making::Deal { owners, .. } => fill::fill(draft, blank::DEAL, &deal(gesture, owners)?),
        Making::SetUp { draft, .. } => draft.clone(),
        Making::Spots(spots) => fill::fill(draft, blank::PLAN, spots),
        Making::Sequence(order) | Making::Subset(order) => fill::fill(draft, blank::PLAN, order),
        Making::Each { chosen, .. } => {
            let chosen: Option<Vec<Value>> =
                chosen.iter().map(|one| one.as_ref().map(|(_, value)| value.clone())).collect();
            // Whoever was given nothing to do is left out of the list.
            let entries: Vec<Value> = chosen?.into_iter().filter(|entry| !entry.is_null()).collect();
            fill::fill(draft, blank::PLAN, &entries)
        }
    };
    fill::is_complete(&full).then_some(full)
}

/// A gesture as it begins.
pub fn begun(board: &dyn Board, scene: &Scene, gesture: &Gesture) -> Making {
    match gesture {
        Gesture::Button { .. } => Making::Press,
        Gesture::PickUnits { from, .. } => Making::Piece(from.first().filter(|_| from.len() == 1).cloned()),
        Gesture::PickTarget { at, .. } => Making::Target(at.first().filter(|_| at.len() == 1).cloned()),
        Gesture::DrawPath { draft, .. } if fill::has(draft, blank::POINT) => Making::Place(None),
        Gesture::DrawPath { .. } => Making::Path { legs: Vec::new(), live: Vec::new(), tool: Tool::March },
        Gesture::PickFormation { unit, draft, .. } => {
            // Where nothing but the facing is asked, the order begins with the one the piece has.
            let piece = scene.pieces.iter().find(|piece| piece.key == *unit);
            let only_facing = !fill::has(draft, blank::FORMATION);
            Making::Form { into: 0, facing: piece.filter(|_| only_facing).map(|piece| piece.pose.facing) }
        }
        Gesture::LayBlocks { at, draft, .. } if fill::has(draft, blank::BLOCKS) => {
            Making::Blocks { target: at.first().filter(|_| at.len() == 1).cloned(), cells: Vec::new() }
        }
        Gesture::LayBlocks { unit, .. } => {
            let piece = scene.pieces.iter().find(|piece| piece.key == *unit);
            let bearing = piece.map_or(Angle::NORTH, |piece| piece.pose.facing);
            Making::Lay { bearing, distance: Length::whole_inches(12) }
        }
        Gesture::DealDice { dice, .. } => Making::Deal { owners: vec![None; dice.len()], held: None },
        Gesture::Plan { kind, pieces, draft, .. } => match kind {
            // Where several groups may be set up next, each comes with its own places.
            PlanKind::Place { .. } if !fill::has(draft, blank::PLAN) => {
                Making::SetUp { draft: draft.clone(), held: None }
            }
            PlanKind::Place { .. } => {
                // A suggestion that names every place can be changed; one that leaves them to the scenario cannot.
                let suggested = board.candidates(1, SUGGESTIONS);
                let placed = suggested.iter().position(|draft| !placements(draft).is_empty()).unwrap_or(0);
                let draft = suggested.into_iter().nth(placed).or_else(|| board.fallback());
                Making::SetUp { draft: draft.unwrap_or(Value::Null), held: None }
            }
            PlanKind::Spots => Making::Spots(Vec::new()),
            PlanKind::Sequence => Making::Sequence(pieces.clone()),
            PlanKind::Subset { .. } => Making::Subset(pieces.clone()),
            PlanKind::Each { options } => {
                // Whoever may be left out of it is, until he is given something to do.
                let left_out = |options: &[Gesture]| options.first().is_some_and(|first| draft_of(first).is_null());
                let first = |(_, options): &(String, Vec<Gesture>)| left_out(options).then_some((0, Value::Null));
                Making::Each { chosen: options.iter().map(first).collect(), open: None }
            }
        },
    }
}

impl Hand {
    /// Begins a gesture.
    pub fn arm(&mut self, board: &dyn Board, prompt: &Prompt, scene: &Scene, no: usize) {
        let Some(gesture) = prompt.gestures.get(no) else { return };
        let making = begun(board, scene, gesture);
        if let Some(piece) = piece_of(gesture) {
            self.selected = Some(piece.to_owned());
        }
        self.making = Some((no, making));
        self.judge(board, prompt);
    }

    /// Lets go of whatever gesture was begun.
    pub fn drop_gesture(&mut self) {
        self.making = None;
        self.judged = None;
    }

    /// Asks the board about the draft as it is now.
    pub fn judge(&mut self, board: &dyn Board, prompt: &Prompt) {
        self.lay_usual(prompt);
        self.take_in(prompt);
        if self.dragging && self.judge_held(board, prompt) {
            return;
        }
        self.judged = self.draft(prompt).map(|draft| Judged::of(board, draft));
    }

    /// The draft in hand, once nothing needed is missing.
    pub fn draft(&self, prompt: &Prompt) -> Option<Value> {
        let (no, making) = self.making.as_ref()?;
        filled(prompt.gestures.get(*no)?, making)
    }

    /// The gesture that is being filled in: that of the prompt, or the option of a plan that is open.
    pub fn at_work<'p>(&self, prompt: &'p Prompt) -> Option<&'p Gesture> {
        let (no, making) = self.making.as_ref()?;
        let gesture = prompt.gestures.get(*no)?;
        match making {
            Making::Each { open: Some(open), .. } => option_of(gesture, open.piece, open.option),
            _ => Some(gesture),
        }
    }

    /// How far it has got.
    pub fn work(&self) -> Option<&Making> {
        match &self.making.as_ref()?.1 {
            Making::Each { open: Some(open), .. } => Some(&open.inner),
            making => Some(making),
        }
    }

    /// The same, to be changed.
    pub fn work_mut(&mut self) -> Option<&mut Making> {
        match &mut self.making.as_mut()?.1 {
            Making::Each { open: Some(open), .. } => Some(&mut open.inner),
            making => Some(making),
        }
    }

    /// Chooses a piece of a choice of many, or lets it go again.
    pub fn toggle(&mut self, prompt: &Prompt, key: &str) {
        let Some((no, Making::Subset(chosen))) = &mut self.making else { return };
        let Some(Gesture::Plan { pieces, .. }) = prompt.gestures.get(*no) else { return };
        // Kept in the order of the question, so that the same choice is always the same order.
        let wanted = |piece: &&String| (chosen.contains(*piece)) != (piece.as_str() == key);
        *chosen = pieces.iter().filter(wanted).cloned().collect();
    }

    /// Where the path in hand has got to: the body's pose after the legs that stand.
    pub fn path_end(&self, prompt: &Prompt, scene: &Scene) -> Option<(Pose, Footprint, Length)> {
        let Making::Path { legs, .. } = self.work()? else { return None };
        let Gesture::DrawPath { unit, allowance, .. } = self.at_work(prompt)? else { return None };
        let piece = scene.pieces.iter().find(|piece| piece.key == *unit)?;
        let body = footprint(piece);
        let track = Track::plot(piece.pose, body, legs);
        Some((track.end(), body, (*allowance - track.length()).max(Length::ZERO)))
    }

    /// The pointer moves while a path is drawn.
    pub fn steer(&mut self, prompt: &Prompt, scene: &Scene, place: Point) {
        let Some((pose, body, left)) = self.path_end(prompt, scene) else { return };
        if let Some(Making::Path { live, tool, .. }) = self.work_mut() {
            *live = steer::towards(*tool, pose, body, place, left, scene.unit);
        }
    }

    /// Moves the place in hand from the keyboard: the one pointed at, or the spot marked last. Without one it begins at
    /// the piece in hand, or in the middle of the table.
    pub fn nudge(&mut self, scene: &Scene, across: Length, up: Length) {
        let piece = self.selected.as_ref().and_then(|key| scene.pieces.iter().find(|piece| piece.key == *key));
        let start = piece.map_or(Point::new(scene.size.0.half(), scene.size.1.half()), |piece| piece.pose.at);
        let moved = |from: Point| {
            let within = |place: Length, most: Length| place.max(Length::ZERO).min(most);
            Point::new(within(from.x + across, scene.size.0), within(from.y + up, scene.size.1))
        };
        match self.work_mut() {
            Some(Making::Place(place)) => *place = Some(moved(place.unwrap_or(start))),
            Some(Making::Spots(spots)) => match spots.last_mut() {
                Some(last) => *last = moved(*last),
                None => spots.push(start),
            },
            _ => {}
        }
    }

    /// Marks one more spot from the keyboard, beside the last, where there is a piece left for it.
    pub fn add_spot(&mut self, prompt: &Prompt, scene: &Scene) {
        let Some((no, Making::Spots(spots))) = &self.making else { return };
        let most = match prompt.gestures.get(*no) {
            Some(Gesture::Plan { pieces, .. }) => pieces.len(),
            _ => 0,
        };
        let (count, last) = (spots.len(), spots.last().copied());
        if count >= most {
            return;
        }
        if let (Some((_, Making::Spots(spots))), Some(last)) = (&mut self.making, last) {
            spots.push(last);
        }
        let step = if count == 0 { Length::ZERO } else { Length::whole_inches(1) };
        self.nudge(scene, step, Length::ZERO);
    }

    /// The legs under the pointer stand.
    pub fn keep_legs(&mut self) {
        if let Some(Making::Path { legs, live, .. }) = self.work_mut() {
            legs.append(live);
        }
    }

    /// One more leg from the keyboard; small steps of the same kind are added up.
    pub fn add_leg(&mut self, leg: Leg) {
        if let Some(Making::Path { legs, live, .. }) = self.work_mut() {
            live.clear();
            match (legs.last_mut(), leg) {
                (Some(Leg::Ahead(have)), Leg::Ahead(more)) | (Some(Leg::Back(have)), Leg::Back(more)) => *have += more,
                (Some(Leg::Sideways(have)), Leg::Sideways(more)) if have.is_negative() == more.is_negative() => {
                    *have += more;
                }
                (Some(Leg::Wheel { pivot, by }), Leg::Wheel { pivot: flank, by: more }) if *pivot == flank => {
                    *by = *by + more;
                }
                _ => legs.push(leg),
            }
        }
    }

    /// Takes the last leg back; true where there was one.
    pub fn drop_leg(&mut self) -> bool {
        match self.work_mut() {
            Some(Making::Path { legs, live, .. }) => {
                live.clear();
                legs.pop().is_some()
            }
            _ => false,
        }
    }
}

/// For each of those dice are dealt to, the number of the die it gets.
fn deal(gesture: &Gesture, owners: &[Option<usize>]) -> Option<Vec<Option<usize>>> {
    let Gesture::DealDice { to, .. } = gesture else { return None };
    Some((0..to.len()).map(|one| owners.iter().position(|owner| *owner == Some(one))).collect())
}

/// Every placement inside a set-up draft: the key of the piece and where it stands.
pub fn placements(draft: &Value) -> Vec<(String, Pose)> {
    let mut found = Vec::new();
    visit("", draft, &mut |key, object| {
        let pose = object.get("pose").and_then(|pose| serde_json::from_value(pose.clone()).ok());
        found.extend(pose.or_else(|| spot_of(object)).map(|pose| (key.to_owned(), pose)));
    });
    found
}

/// Where something stands that looks nowhere in particular.
fn spot_of(fields: &serde_json::Map<String, Value>) -> Option<Pose> {
    let at: Point = serde_json::from_value(fields.get("at")?.clone()).ok()?;
    Some(Pose { at, facing: Angle::NORTH })
}

fn visit(list: &str, draft: &Value, see: &mut impl FnMut(&str, &serde_json::Map<String, Value>)) {
    match draft {
        Value::Array(items) => items.iter().for_each(|item| visit(list, item, see)),
        Value::Object(fields) => match placed(list, fields) {
            Some(key) => see(&key, fields),
            None => fields.iter().for_each(|(name, item)| visit(name, item, see)),
        },
        _ => {}
    }
}

/// The key in an object that places a piece. Whatever has a spot and no facing hangs on another piece and is named
/// after it: an entry of `observers` that names `@guns` is about `@guns-observer`.
fn placed(list: &str, fields: &serde_json::Map<String, Value>) -> Option<String> {
    let key = fields.values().find_map(|value| value.as_str().filter(|text| text.starts_with('@')))?;
    match fields.contains_key("pose") {
        true => Some(key.to_owned()),
        false => spot_of(fields).map(|_| format!("{key}-{}", list.trim_end_matches('s'))),
    }
}

/// Changes one placement of a set-up draft.
pub fn replace(draft: &mut Value, key: &str, change: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    replace_in("", draft, key, change);
}

fn replace_in(list: &str, draft: &mut Value, key: &str, change: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    match draft {
        Value::Array(items) => items.iter_mut().for_each(|item| replace_in(list, item, key, change)),
        Value::Object(fields) => match placed(list, fields).map(|found| found == key) {
            Some(true) => change(fields),
            Some(false) => {}
            None => fields.iter_mut().for_each(|(name, item)| replace_in(name, item, key, change)),
        },
        _ => {}
    }
}

/// Puts a piece of a set-up draft somewhere else.
pub fn put_at(draft: &mut Value, key: &str, pose: Pose) {
    replace(draft, key, &mut |fields| {
        let (field, value) = match fields.contains_key("pose") {
            true => ("pose", serde_json::to_value(pose)),
            false => ("at", serde_json::to_value(pose.at)),
        };
        if let Ok(value) = value {
            fields.insert(field.to_owned(), value);
        }
    });
}

/// The piece whose stands hold a place, the smallest first; a near miss within `slack` counts.
pub fn hit<'s>(
    pieces: impl Iterator<Item = (&'s str, &'s [[Point; 4]])>,
    place: Point,
    slack: Length,
) -> Option<String> {
    let place = place.vec();
    let mut best: Option<(f64, String)> = None;
    for (key, stands) in pieces {
        for stand in stands {
            let corners = stand.map(|corner| corner.vec());
            let off = table::convex::distance(&corners, place);
            let size = corners[0].distance(corners[2]);
            let score = off + size * 1e-3;
            if off <= slack.as_f64() && best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, key.to_owned()));
            }
        }
    }
    best.map(|(_, key)| key)
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
