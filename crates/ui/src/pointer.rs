//! The pointer on the map: one finger or the mouse gives orders, two fingers or a drag on open ground move the map.

use crate::desk::{Desk, Tape};
use crate::hand::{self, Hand, Making};
use engine::blanks::{self as fill, blank};
use engine::scene::{Gesture, Prompt, Scene};
use leptos::html::Div;
use leptos::prelude::*;
use picture::Sheet;
use table::{Angle, Length, Point, Pose, Shape};
use web_sys::{PointerEvent, WheelEvent};

/// What a press began.
#[derive(Clone, PartialEq, Debug, Default)]
enum Drag {
    #[default]
    None,
    /// Pressed, not moved yet: on a piece, or on where it is to go.
    Pressed { on: Option<String>, ghost: bool },
    /// The map moves.
    Pan,
    /// Two fingers: their distance and middle.
    Pinch { apart: f64, x: f64, y: f64 },
    /// A path is drawn, by this offset from where the piece was seized to its flag.
    Path { dx: f64, dy: f64 },
    /// A piece of a plan is carried to a place.
    Ride { key: String },
    /// A piece of a set-up is carried, by this offset from its flag.
    Carry { key: String, dx: f64, dy: f64 },
    /// A piece of a set-up, a facing or a bearing is turned.
    Turn { key: Option<String> },
    /// The tape is laid.
    Tape { from: Point },
}

#[derive(Clone, Default)]
struct Fingers {
    down: Vec<(i32, f64, f64)>,
    start: (f64, f64),
    drag: Drag,
}

/// Catches the pointer.
#[derive(Clone, Copy)]
pub struct Pointer {
    desk: Desk,
    frame: NodeRef<Div>,
    fingers: StoredValue<Fingers>,
}

/// A press that moves less is a click.
const STILL: f64 = 6.0;
/// How near a finger must come to a piece, in pixels.
const REACH: f64 = 14.0;

impl Pointer {
    pub fn new(desk: Desk, frame: NodeRef<Div>) -> Pointer {
        Pointer { desk, frame, fingers: StoredValue::new(Fingers::default()) }
    }

    fn screen(&self, event: &PointerEvent) -> (f64, f64) {
        let rect = self.frame.get_untracked().map(|frame| frame.get_bounding_client_rect());
        let (left, top) = rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
        (f64::from(event.client_x()) - left, f64::from(event.client_y()) - top)
    }

    fn place(&self, x: f64, y: f64) -> Option<Point> {
        place_of(self.desk, x, y)
    }

    /// How far a finger may miss, on the table.
    fn slack(&self) -> Length {
        slack(self.desk)
    }

    pub fn down(&self, event: &PointerEvent) {
        let (x, y) = self.screen(event);
        if let Some(frame) = self.frame.get_untracked() {
            let _ = frame.set_pointer_capture(event.pointer_id());
        }
        let place = self.place(x, y);
        let (on, ghost) = place.and_then(|place| self.struck(place)).unzip();
        let mut drag = Drag::Pressed { on, ghost: ghost == Some(true) };
        if let Some(place) = place {
            drag = self.grip(place).unwrap_or(drag);
        }
        self.fingers.update_value(|fingers| {
            fingers.down.retain(|(id, _, _)| *id != event.pointer_id());
            fingers.down.push((event.pointer_id(), x, y));
            if let [(_, ax, ay), (_, bx, by)] = fingers.down[..] {
                fingers.drag = pinch(ax, ay, bx, by);
            } else {
                fingers.start = (x, y);
                fingers.drag = drag;
            }
        });
    }

    /// What a press takes hold of before it moves: the tape, or a piece of a set-up.
    fn grip(&self, place: Point) -> Option<Drag> {
        if self.desk.tape.get_untracked() != Tape::Away {
            return Some(Drag::Tape { from: place });
        }
        let (making, ghosts) = self.desk.hand.with_untracked(|hand| {
            (hand.work().cloned(), hand.judged.as_ref().map(|judged| judged.ghosts.clone()).unwrap_or_default())
        });
        match making? {
            Making::SetUp { draft, held } => {
                let placements = hand::placements(&draft);
                if let Some((key, pose)) = held.and_then(|key| placements.iter().find(|(other, _)| *other == key))
                    && handle_of(*pose).distance(place) <= self.slack() + Length::inches(0.3)
                {
                    return Some(Drag::Turn { key: Some(key.clone()) });
                }
                let stands = ghosts.iter().map(|ghost| (ghost.key.as_str(), ghost.stands.as_slice()));
                let key = hand::hit(stands, place, self.slack())?;
                let (_, pose) = placements.iter().find(|(other, _)| *other == key)?;
                let off = pose.at.vec() - place.vec();
                self.hold(&key);
                Some(Drag::Carry { key, dx: off.x, dy: off.y })
            }
            Making::Lay { .. } => {
                self.turn(None, place);
                Some(Drag::Turn { key: None })
            }
            // Only a facing that is asked for is turned; otherwise the map moves as ever.
            Making::Form { .. } if !self.asks_facing() => None,
            Making::Form { .. } => {
                let selected = self.desk.hand.with_untracked(|hand| hand.selected.clone());
                let on_map = self.piece_at(place);
                (on_map.is_none() || on_map == selected).then_some(Drag::Turn { key: None })
            }
            _ => None,
        }
    }

    fn asks_facing(&self) -> bool {
        let prompt = self.desk.peek(|chair| chair.prompt.clone());
        prompt.is_some_and(|prompt| {
            self.desk.hand.with_untracked(|hand| {
                hand.at_work(&prompt).is_some_and(|gesture| fill::has(hand::draft_of(gesture), blank::FACING))
            })
        })
    }

    fn hold(&self, key: &str) {
        self.desk.hand.update(|hand| {
            hand.selected = Some(key.to_owned());
            if let Some((_, Making::SetUp { held, .. })) = &mut hand.making {
                *held = Some(key.to_owned());
            }
        });
    }

    pub fn moved(&self, event: &PointerEvent) {
        let (x, y) = self.screen(event);
        let mut fingers = self.fingers.get_value();
        let Some(finger) = fingers.down.iter_mut().find(|(id, _, _)| *id == event.pointer_id()) else { return };
        let (old_x, old_y) = (finger.1, finger.2);
        (finger.1, finger.2) = (x, y);
        let far = (x - fingers.start.0).abs().max((y - fingers.start.1).abs()) > STILL;
        match fingers.drag.clone() {
            Drag::Pressed { on, ghost } if far => fingers.drag = self.begin(on, ghost, fingers.start),
            Drag::Pan => self.desk.camera.update(|camera| *camera = camera.pan(x - old_x, y - old_y)),
            Drag::Pinch { apart, x: mx, y: my } => {
                if let [(_, ax, ay), (_, bx, by)] = fingers.down[..] {
                    let next = pinch(ax, ay, bx, by);
                    if let Drag::Pinch { apart: now, x: nx, y: ny } = next {
                        self.desk.camera.update(|camera| {
                            *camera = camera.pan(nx - mx, ny - my).zoom_at(now / apart.max(1.0), nx, ny);
                        });
                    }
                    fingers.drag = next;
                }
            }
            _ => {}
        }
        if let Some(place) = self.place(x, y) {
            self.drag_on(&fingers.drag, place);
        }
        self.fingers.set_value(fingers);
    }

    fn drag_on(&self, drag: &Drag, place: Point) {
        match drag {
            Drag::Path { dx, dy } => {
                let place = Point::from_vec(place.vec() + table::Vec2::new(*dx, *dy));
                self.desk.handle(|hand, at| hand.steer(at.prompt, at.scene, place));
            }
            Drag::Ride { key } => self.desk.handle(|hand, at| hand.ride_to(at.prompt, at.scene, key, place)),
            Drag::Carry { key, dx, dy } => {
                let target = Point::from_vec(place.vec() + table::Vec2::new(*dx, *dy));
                self.carry(key, |pose| Pose { at: target, ..pose });
            }
            Drag::Turn { key } => self.turn(key.as_deref(), place),
            Drag::Tape { from } => self.lay_tape(*from, place),
            _ => {}
        }
    }

    /// A drag begins: from the piece in hand it draws its path, from elsewhere it moves the map.
    fn begin(&self, on: Option<String>, ghost: bool, start: (f64, f64)) -> Drag {
        // While the moves are shown the map can be moved, but nobody on it.
        let Some(key) = on.filter(|_| !self.desk.is_showing()) else { return Drag::Pan };
        if self.desk.is_planning() {
            return self.seize(&key, ghost, start);
        }
        let drawing = self.desk.hand.with_untracked(|hand| {
            matches!(hand.work(), Some(Making::Path { .. })) && hand.selected.as_deref() == Some(key.as_str())
        });
        if drawing {
            return Drag::Path { dx: 0.0, dy: 0.0 };
        }
        let prompt = self.desk.peek(|chair| chair.prompt.clone());
        let path = prompt.and_then(|prompt| {
            prompt.gestures.iter().position(|gesture| {
                matches!(gesture, Gesture::DrawPath { unit, draft, .. } if *unit == key && fill::has(draft, blank::LEGS))
            })
        });
        match path {
            Some(no) => {
                self.desk.select(Some(key));
                self.desk.handle(|hand, at| hand.arm(at.board, at.prompt, at.scene, no));
                Drag::Path { dx: 0.0, dy: 0.0 }
            }
            None => Drag::Pan,
        }
    }

    /// A piece of a plan is dragged off; its brigade's plan is judged when it is let go.
    fn seize(&self, key: &str, ghost: bool, start: (f64, f64)) -> Drag {
        let mut seized = None;
        self.desk.handle(|hand, at| seized = hand.seize(at.board, at.prompt, at.scene, key, ghost));
        self.desk.hand.update(|hand| hand.dragging = seized.is_some());
        match seized {
            Some(true) => {
                // A deep column is seized far behind its flag, and goes as far as the finger does all the same.
                let (prompt, scene) = self.desk.peek(|chair| (chair.prompt.clone(), chair.scene.clone()));
                let end = prompt.zip(scene).and_then(|(prompt, scene)| {
                    self.desk.hand.with_untracked(|hand| hand.path_end(&prompt, &scene)).map(|(end, ..)| end.at)
                });
                let off = end.zip(self.place(start.0, start.1)).map(|(end, from)| end.vec() - from.vec());
                Drag::Path { dx: off.map_or(0.0, |off| off.x), dy: off.map_or(0.0, |off| off.y) }
            }
            Some(false) => Drag::Ride { key: key.to_owned() },
            None => Drag::Pan,
        }
    }

    pub fn up(&self, event: &PointerEvent) {
        let (x, y) = self.screen(event);
        let fingers = self.fingers.get_value();
        let drag = fingers.drag.clone();
        self.lost(event);
        match drag {
            Drag::Path { .. } if !self.desk.is_planning() => self.desk.handle(|hand, _| hand.keep_legs()),
            Drag::Pressed { on, .. } => {
                if let Some(place) = self.place(x, y) {
                    self.click(on, place);
                }
            }
            _ => {}
        }
    }

    pub fn lost(&self, event: &PointerEvent) {
        self.fingers.update_value(|fingers| {
            fingers.down.retain(|(id, _, _)| *id != event.pointer_id());
            fingers.drag = if fingers.down.is_empty() { Drag::None } else { Drag::Pan };
        });
        if self.desk.hand.with_untracked(|hand| hand.dragging) {
            self.desk.handle(|hand, _| {
                hand.dragging = false;
                hand.keep_legs();
            });
        }
    }

    pub fn wheel(&self, event: &WheelEvent) {
        event.prevent_default();
        let rect = self.frame.get_untracked().map(|frame| frame.get_bounding_client_rect());
        let (left, top) = rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
        let (x, y) = (f64::from(event.client_x()) - left, f64::from(event.client_y()) - top);
        let factor = if event.delta_y() < 0.0 { 1.12 } else { 1.0 / 1.12 };
        self.desk.camera.update(|camera| *camera = camera.zoom_at(factor, x, y));
    }

    /// What lies under the pointer: in a plan the ghost of the piece in hand before any piece, and other ghosts after
    /// all pieces.
    fn struck(&self, place: Point) -> Option<(String, bool)> {
        if !self.desk.is_planning() {
            return self.piece_at(place).map(|key| (key, false));
        }
        let slack = self.slack();
        let ghost = |held: bool| {
            self.desk.hand.with_untracked(|hand| {
                let ghosts = &hand.judged.as_ref()?.ghosts;
                let wanted = ghosts.iter().filter(|ghost| (hand.selected.as_ref() == Some(&ghost.key)) == held);
                let near = if held { slack } else { Length::ZERO };
                hand::hit(wanted.map(|ghost| (ghost.key.as_str(), ghost.stands.as_slice())), place, near)
            })
        };
        let piece = || self.standing_at(place, slack).map(|key| (key, false));
        ghost(true).map(|key| (key, true)).or_else(piece).or_else(|| ghost(false).map(|key| (key, true)))
    }

    fn standing_at(&self, place: Point, slack: Length) -> Option<String> {
        standing_at(self.desk, place, slack)
    }

    /// A piece under the pointer; while a path is drawn its ghost counts as the piece.
    fn piece_at(&self, place: Point) -> Option<String> {
        let slack = self.slack();
        let ghost = self.desk.hand.with_untracked(|hand| {
            let drawing = matches!(hand.work(), Some(Making::Path { .. }));
            let ghosts = hand.judged.as_ref().filter(|_| drawing).map(|judged| judged.ghosts.clone())?;
            hand::hit(ghosts.iter().map(|ghost| (ghost.key.as_str(), ghost.stands.as_slice())), place, slack)
        });
        ghost.or_else(|| self.standing_at(place, slack))
    }

    fn click(&self, on: Option<String>, place: Point) {
        // Whoever points at the table has seen enough of the film.
        if self.desk.is_showing() {
            self.desk.skip_film();
            return;
        }
        let (no, work) =
            self.desk.hand.with_untracked(|hand| (hand.making.as_ref().map_or(0, |(no, _)| *no), hand.work().cloned()));
        match work {
            Some(Making::Place(_)) => self.desk.handle(|hand, _| {
                if let Some(Making::Place(point)) = hand.work_mut() {
                    *point = Some(place);
                }
            }),
            Some(Making::Spots(_)) => self.mark_spot(no, place),
            Some(Making::Subset(_)) => match on {
                Some(key) => self.desk.handle(|hand, at| hand.toggle(at.prompt, &key)),
                None => self.touch(None),
            },
            Some(Making::Target(_) | Making::Piece(_)) => self.choose(on, place),
            Some(Making::Blocks { .. }) => self.lay(on, place),
            Some(Making::Deal { .. }) => match on {
                Some(key) => crate::deal::drop_on_piece(self.desk, &key),
                None => self.touch(None),
            },
            _ => self.touch(on),
        }
    }

    /// A cell of the grid is laid or taken up; beside the grid, or on a piece of the plan, it is a click like any other.
    fn lay(&self, on: Option<String>, place: Point) {
        let (scene, prompt) = self.desk.peek(|chair| (chair.scene.clone(), chair.prompt.clone()));
        let (Some(scene), Some(prompt)) = (scene, prompt) else { return };
        let (grid, own, wanted) = self.desk.hand.with_untracked(|hand| {
            let own = on.as_ref().is_some_and(|key| hand.in_plan(&prompt, key).is_some());
            (hand.grid(&prompt, &scene), own, wanted(&prompt, hand))
        });
        match grid.and_then(|grid| grid.cell_at(place)).filter(|_| !own) {
            Some(cell) => self.desk.handle(|hand, at| hand.toggle_block(at.prompt, cell)),
            None => match on.filter(|key| wanted.contains(key)) {
                Some(key) => choose_key(self.desk, key),
                None => self.touch(self.standing_at(place, self.slack())),
            },
        }
    }

    fn mark_spot(&self, no: usize, place: Point) {
        let near = self.slack();
        self.desk.handle(|hand, at| {
            let most = match at.prompt.gestures.get(no) {
                Some(Gesture::Plan { pieces, .. }) => pieces.len(),
                _ => 0,
            };
            if let Some((_, Making::Spots(spots))) = &mut hand.making {
                match spots.iter().position(|spot| spot.distance(place) <= near) {
                    Some(old) => drop(spots.remove(old)),
                    None if spots.len() < most => spots.push(place),
                    None => {}
                }
            }
        });
    }

    /// Something is chosen on the map: a piece, or a piece of ground where the gesture wants one.
    fn choose(&self, on: Option<String>, place: Point) {
        let (scene, prompt) = self.desk.peek(|chair| (chair.scene.clone(), chair.prompt.clone()));
        let (Some(scene), Some(prompt)) = (scene, prompt) else { return };
        let wanted = wanted(&prompt, &self.desk.hand.get_untracked());
        let ground = features_at(&scene, place);
        let found = on.clone().into_iter().chain(ground).find(|key| wanted.contains(key));
        match found {
            Some(key) => choose_key(self.desk, key),
            None if self.desk.is_planning() => self.touch(on),
            // A plan half made is not given up for a click beside its mark.
            None if self.desk.hand.with_untracked(|hand| matches!(hand.making, Some((_, Making::Each { .. })))) => {}
            None => self.touch(on),
        }
    }

    /// A plain click: a friend is selected; an enemy becomes the target of the piece in hand, where it may be one.
    fn touch(&self, on: Option<String>) {
        let Some(key) = on else {
            self.desk.select(None);
            return;
        };
        if self.desk.is_planning() {
            let mut aimed = false;
            self.desk.handle(|hand, at| {
                let own = hand.in_plan(at.prompt, &key).is_some();
                aimed = !own && hand.aim_at(at.board, at.prompt, at.scene, &key);
            });
            if !aimed {
                self.desk.select(Some(key));
            }
            return;
        }
        let selected = self.desk.hand.with_untracked(|hand| hand.selected.clone());
        let prompt = self.desk.peek(|chair| chair.prompt.clone());
        let target = prompt.zip(selected).and_then(|(prompt, by)| {
            prompt.gestures.iter().position(
                |gesture| matches!(gesture, Gesture::PickTarget { by: who, at, .. } if *who == by && at.contains(&key)),
            )
        });
        match target {
            Some(no) => {
                self.desk.handle(|hand, at| hand.arm(at.board, at.prompt, at.scene, no));
                choose_key(self.desk, key);
            }
            None => self.desk.select(Some(key)),
        }
    }

    fn carry(&self, key: &str, change: impl Fn(Pose) -> Pose) {
        carry(self.desk, key, change);
    }

    /// Turns whatever is being turned until it looks at the place.
    fn turn(&self, key: Option<&str>, place: Point) {
        if let Some(key) = key {
            self.carry(key, |pose| Pose { facing: whole(Angle::of(place.vec() - pose.at.vec())), ..pose });
            return;
        }
        self.desk.handle(|hand, at| {
            let Some(key) = hand.selected.clone() else { return };
            let Some(piece) = at.scene.pieces.iter().find(|piece| piece.key == key) else { return };
            let way = whole(Angle::of(place.vec() - piece.pose.at.vec()));
            match hand.work_mut() {
                Some(Making::Lay { bearing, .. }) => *bearing = way,
                Some(Making::Form { facing, .. }) => *facing = Some(way),
                _ => {}
            }
        });
    }

    fn lay_tape(&self, from: Point, to: Point) {
        let says = self.desk.peek(|chair| {
            let board = chair.board.as_ref()?;
            Some(board.measure(from, to).map_err(|note| (note.text.to_string(), note.clause.to_string())))
        });
        if let Some(says) = says {
            self.desk.tape.set(Tape::Laid { from, to, says });
        }
    }
}

fn place_of(desk: Desk, x: f64, y: f64) -> Option<Point> {
    let size = desk.peek(|chair| chair.scene.as_ref().map(|scene| scene.size))?;
    let (px, py) = desk.camera.get_untracked().page(x, y);
    Some(Sheet::new(size).table(px, py))
}

fn slack(desk: Desk) -> Length {
    let size = desk.peek(|chair| chair.scene.as_ref().map(|scene| scene.size));
    let inch = size.map_or(20.0, |size| Sheet::new(size).px(Length::whole_inches(1)));
    Length::inches(REACH / (desk.camera.get_untracked().zoom * inch))
}

fn standing_at(desk: Desk, place: Point, slack: Length) -> Option<String> {
    desk.peek(|chair| {
        let scene = chair.scene.as_ref()?;
        let pieces = scene.pieces.iter().map(|piece| (piece.key.as_str(), piece.stands.as_slice()));
        hand::hit(pieces, place, slack)
    })
}

/// The piece at a place of the map's frame, near enough for a finger.
pub fn piece_near(desk: Desk, x: f64, y: f64) -> Option<String> {
    standing_at(desk, place_of(desk, x, y)?, slack(desk))
}

/// Moves one piece of a set-up.
pub fn carry(desk: Desk, key: &str, change: impl Fn(Pose) -> Pose) {
    desk.handle(|hand, _| {
        if let Some((_, Making::SetUp { draft, held })) = &mut hand.making {
            if let Some((_, pose)) = hand::placements(draft).into_iter().find(|(other, _)| other == key) {
                hand::put_at(draft, key, change(pose));
            }
            *held = Some(key.to_owned());
        }
    });
}

fn whole(angle: Angle) -> Angle {
    Angle::degrees(angle.as_degrees().round())
}

/// Where the handle that turns a piece sits: before its front.
pub fn handle_of(pose: Pose) -> Point {
    Point::from_vec(pose.at.vec() + pose.forward() * Length::inches(1.1).as_f64())
}

fn pinch(ax: f64, ay: f64, bx: f64, by: f64) -> Drag {
    let apart = ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt();
    Drag::Pinch { apart, x: (ax + bx) / 2.0, y: (ay + by) / 2.0 }
}

/// The pieces of ground a place lies on.
fn features_at(scene: &Scene, place: Point) -> Vec<String> {
    let near = Length::inches(0.5);
    let holds = |outline: &table::Outline| {
        Shape::new(outline.clone()).is_ok_and(|shape| shape.distance(place.vec()) <= near.as_f64())
    };
    let on = scene.features.iter().rev().filter(|feature| holds(&feature.outline));
    on.map(|feature| feature.key.clone()).collect()
}

/// What the gesture in hand may choose among.
pub fn wanted(prompt: &Prompt, hand: &Hand) -> Vec<String> {
    match (hand.at_work(prompt), hand.work()) {
        (Some(Gesture::PickTarget { at, .. } | Gesture::LayBlocks { at, .. }), _) => at.clone(),
        (Some(Gesture::PickUnits { from, .. }), _) => from.clone(),
        (Some(Gesture::Plan { pieces, .. }), Some(Making::Subset(_))) => pieces.clone(),
        _ => Vec::new(),
    }
}

/// A target or piece is chosen, by pointer or by key.
pub fn choose_key(desk: Desk, key: String) {
    desk.handle(|hand, _| match hand.work_mut() {
        Some(Making::Target(target)) => *target = Some(key),
        Some(Making::Piece(piece)) => *piece = Some(key),
        Some(Making::Blocks { target, .. }) => *target = Some(key),
        _ => {}
    });
}
