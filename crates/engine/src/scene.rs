//! What any table looks like: terrain, stands, badges. The same scene feeds the browser, the terminal and pictures.

use crate::ids::{DecisionNo, Side};
use crate::state::Whereabouts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use table::terrain::TerrainKind;
use table::{Length, Outline, Point, Pose, Unit};

/// One viewer's table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// The battle's name.
    pub title: String,
    /// Round and phase in words.
    pub when: String,
    /// Size of the table.
    pub size: (Length, Length),
    /// What its lengths are said in.
    pub unit: Unit,
    /// Names of the two sides.
    pub sides: [String; 2],
    /// The ground.
    pub features: Vec<SceneFeature>,
    /// The pieces.
    pub pieces: Vec<ScenePiece>,
}

impl Scene {
    /// A table with nothing on it.
    pub fn empty() -> Scene {
        Scene {
            title: String::new(),
            when: String::new(),
            size: (Length::ZERO, Length::ZERO),
            unit: Unit::Inch,
            sides: [String::new(), String::new()],
            features: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

/// A terrain feature.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SceneFeature {
    /// Its key, with the `@`.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TerrainKind,
    /// Where it is.
    pub outline: Outline,
    /// How high.
    pub level: u8,
}

/// What a piece is drawn as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// Foot.
    Foot,
    /// Horse.
    Horse,
    /// Guns in action.
    Guns,
    /// Guns on the move.
    LimberedGuns,
    /// A commander; the second for higher ones.
    General,
    /// A higher commander.
    ChiefGeneral,
    /// A rider with an order.
    Courier,
    /// A lone marksman.
    Sharpshooter,
    /// Nobody's troops: what the battle has done to the ground, or what is about to come onto it.
    Sign(Sign),
}

/// What lies or hangs over the table without being a piece anybody moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// Flames, one for each of its stands; the smoke drifts where it faces.
    Fire,
    /// The wind, blowing where it faces.
    Wind,
    /// Dust of troops that come on.
    Dust,
    /// A work or barricade along its stand.
    Works,
    /// A bridge of boats along its stand.
    Boats,
    /// A place where water was looked into, an obstacle opened, a bridge broken.
    Mark,
    /// Troops that wait off the table, for their owner alone.
    Waiting,
}

/// A piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScenePiece {
    /// Its key, with the `@`.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// What it is drawn as.
    pub kind: PieceKind,
    /// Flag and facing.
    pub pose: Pose,
    /// Corners of each stand: front left, front right, rear right, rear left.
    pub stands: Vec<[Point; 4]>,
    /// How it is drawn up, in a word.
    pub formation: String,
    /// The brigade or division it belongs to.
    pub command: Option<String>,
    /// Its state at a glance.
    pub badges: Vec<Badge>,
    /// What the eye catches before it reads anything.
    pub looks: Vec<Look>,
}

/// What can be seen from afar: drawn around a piece, never in the place of a badge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// It fired and has not loaded since.
    Smoke,
    /// It runs.
    Rout,
    /// Its ranks are loose.
    Disorder,
    /// The enemy cannot see it.
    Hidden,
    /// Markers on one of its stands.
    Markers {
        /// Which stand, in the order of the piece's stands.
        stand: u8,
        /// Those that come off again.
        light: u8,
        /// Those that stay longer, or for good.
        heavy: u8,
    },
}

/// A line of the order of battle, in the order of the tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RosterLine {
    /// How deep in the chain of command.
    pub depth: u8,
    /// Whose.
    pub side: Side,
    /// Its key with the `@`; none for a command, which has no piece of its own.
    pub key: Option<String>,
    /// The key of the command, where this is a command's line: orders name it.
    pub command: Option<String>,
    /// Its name.
    pub name: String,
    /// What it is drawn as; none for a command.
    pub kind: Option<PieceKind>,
    /// Its state at a glance.
    pub badges: Vec<Badge>,
    /// Where it is.
    pub whereabouts: Whereabouts,
}

/// Where a piece would stand if a draft were carried out: what the pointer drags about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ghost {
    /// Whose, with the `@`.
    pub key: String,
    /// Flag and facing at the end.
    pub pose: Pose,
    /// Its stands there.
    pub stands: Vec<[Point; 4]>,
    /// The way of the flag, from where it stands now.
    pub trail: Vec<Point>,
    /// What it spends on the way, in words, such as `3½ of 6 inches`.
    pub spent: String,
}

/// Something drawn around a selected piece: its arc of fire, its reach, a general's command.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sketch {
    /// What it shows, in words.
    pub label: String,
    /// How it is drawn.
    pub stroke: SketchStroke,
    /// Where.
    pub outline: Outline,
}

/// How a sketch is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SketchStroke {
    /// What it may shoot at.
    Fire,
    /// Where it may go.
    Move,
    /// Whom it commands.
    Command,
    /// Whom it keeps from acting freely.
    Zone,
    /// From who shoots or strikes to whom.
    Aim,
}

/// A small sign beside a piece: a letter and words, so that colour is never the only sign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Badge {
    /// A letter or short figure.
    pub sign: String,
    /// In words.
    pub text: String,
    /// Good, neutral or bad news.
    pub tone: Tone,
}

/// The colour of a badge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// As it should be.
    Calm,
    /// Worth knowing.
    Note,
    /// Trouble.
    Alarm,
}

/// What is asked, and by which gestures it may be answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prompt {
    /// The question's number.
    pub no: DecisionNo,
    /// Who is asked.
    pub side: Side,
    /// The question.
    pub question: String,
    /// The clause behind it.
    pub clause: String,
    /// Ways to answer.
    pub gestures: Vec<Gesture>,
}

/// Eight gestures serve five games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gesture {
    /// One press gives one order.
    Button {
        /// The piece it is about, where it is about one: the button then shows on its card.
        of: Option<String>,
        /// On the button.
        label: String,
        /// A key that presses it.
        key: Option<char>,
        /// The order.
        draft: Value,
    },
    /// Choose among pieces; the draft holds `"$piece"` where the key goes.
    PickUnits {
        /// What for.
        label: String,
        /// Which may be chosen.
        from: Vec<String>,
        /// The order with its blank.
        draft: Value,
    },
    /// Choose a target for a piece; `"$target"` is the blank.
    PickTarget {
        /// What for.
        label: String,
        /// Who acts.
        by: String,
        /// Which targets may be named.
        at: Vec<String>,
        /// The order with its blank.
        draft: Value,
    },
    /// Draw a path: `"$legs"` is the blank; or point at a place: `"$point"` is.
    DrawPath {
        /// What for.
        label: String,
        /// Who moves.
        unit: String,
        /// How much movement there is.
        allowance: Length,
        /// The order with its blank.
        draft: Value,
    },
    /// Choose a formation and facing; `"$formation"` and `"$facing"` are the blanks.
    PickFormation {
        /// What for.
        label: String,
        /// Who reforms.
        unit: String,
        /// Into what.
        into: Vec<String>,
        /// The order with its blanks.
        draft: Value,
    },
    /// Point and set a dial: `"$bearing"` and `"$distance"` are the blanks. Or lay blocks by hand: `"$target"` is whom
    /// they are meant for, `"$blocks"` a list of `[column, row]`, columns across and rows along the line of fire, the
    /// block over the target being `[0, 0]`; and where the draft has it, `"$point"` is where that one lies.
    LayBlocks {
        /// What for.
        label: String,
        /// Who acts.
        unit: String,
        /// Which targets may be named; none where a bearing is set.
        at: Vec<String>,
        /// How many blocks there are.
        count: Option<u8>,
        /// A block's length, along the line of fire.
        length: Option<Length>,
        /// A block's width, across it.
        width: Option<Length>,
        /// The order with its blanks.
        draft: Value,
    },
    /// Deal dice to commands: `"$deal"` is the blank, a list with an entry for each of them in order: the number of the
    /// die it gets, counted from 0, or null. A die goes to one command at most, and may go to none.
    DealDice {
        /// The dice.
        dice: Vec<u8>,
        /// To whom.
        to: Vec<String>,
        /// A few words on what a die would do for each of them.
        notes: Vec<String>,
        /// The order with its blank.
        draft: Value,
    },
    /// Place or plan many pieces at once: `"$plan"` is the blank.
    Plan {
        /// What for.
        label: String,
        /// Of which kind.
        kind: PlanKind,
        /// Which pieces.
        pieces: Vec<String>,
        /// The order with its blank.
        draft: Value,
    },
}

/// What a plan is made of: what goes where `"$plan"` stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanKind {
    /// Pieces are set up. The whole draft is one of [`Board::candidates`](crate::facade::Board::candidates), in which
    /// every `pose` may be changed, and every `formation` to one of the words listed for its piece; or the gesture's own,
    /// where that has no blank.
    Place {
        /// Formations each piece may stand in.
        formations: Vec<(String, Vec<String>)>,
        /// Where: rectangles by two corners.
        zones: Vec<(Point, Point)>,
    },
    /// A list of places, one for each piece that is to have one.
    Spots,
    /// All pieces, in an order of one's own.
    Sequence,
    /// Some of the pieces, none or all: the list of those chosen.
    Subset {
        /// A few words about each piece, in their order: what it would do if it were chosen.
        notes: Vec<String>,
    },
    /// A list with one entry for each piece: one of its options with its blanks filled. An option whose draft is null
    /// leaves its piece out.
    Each {
        /// The options of each piece: gestures whose drafts are entries of the list.
        options: Vec<(String, Vec<Gesture>)>,
    },
}

/// An event as a viewer is told it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The sentence.
    pub text: String,
    /// The clause.
    pub clause: String,
    /// Further clauses.
    pub also: Vec<String>,
    /// The dice.
    pub rolls: Vec<String>,
    /// The reckoning.
    pub reckoning: Option<Value>,
    /// The event for programs.
    pub event: Value,
}
