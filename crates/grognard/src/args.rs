//! The command line.

use bots::Level;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use lab::fight::Thinking;
use std::path::PathBuf;

/// Plays, simulates and studies tabletop battles of the age of horse, musket and rifle, with the rules enforced.
#[derive(Parser, Debug)]
#[command(name = "grognard", version, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  grognard play                                     a small battle against the careful bot
  grognard play awi/cowpens --as american           choose scenario and side
  grognard play fpw/brigade                         the other rulebook: a brigade each, 1870
  grognard serve --open                             the same in the browser, also with friends
  grognard scenarios                                what can be played
  grognard sim awi/s40 --games 400 --seed 1 --a careful --b random --swap
  grognard odds volley --class line --range short --first --cover soft
  grognard odds fpw fire --weapon chassepot --range 6in
  grognard odds guns fire 8 8 --hard-cover --loose --breech
  grognard check my-scenario.toml                   every fault at once, with its line
  grognard completions bash > ~/.local/share/bash-completion/completions/grognard

Exit codes:
  0  all is well
  1  checked and found wanting: a case failed, a replay does not verify, a file has faults, a battle went wrong
  2  bad usage, or input that cannot be read";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Lists the rulebooks.
    Rulesets {
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Lists the scenarios that ship with the program.
    Scenarios {
        /// Only those of one rulebook.
        #[arg(long, value_name = "ID")]
        ruleset: Option<String>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Lists every clause of a rulebook as JSON: id, kind, title, text, source, rulings, cases.
    Clauses(ClausesArgs),
    /// A rulebook's figures: for whoever owns a better sheet, or wants them otherwise.
    Charts {
        #[command(subcommand)]
        command: ChartsCommand,
    },
    /// A battle in the terminal.
    #[command(after_help = PLAY_HELP)]
    Play(PlayArgs),
    /// Many battles between bots: wins with 95 % intervals, rounds, losses, faults, speed.
    #[command(after_help = SIM_HELP)]
    Sim(SimArgs),
    /// Runs or draws case files: one situation each, with scripted dice and what must come of them.
    Case {
        #[command(subcommand)]
        command: CaseCommand,
    },
    /// Verifies, shows or counts the dice of a recorded battle.
    Replay {
        #[command(subcommand)]
        command: ReplayCommand,
    },
    /// Exact odds of a situation described in words: of `awi`, or after the word `fpw`, `guns`, `iron` or `empire` of
    /// that game.
    #[command(after_help = crate::odds::EXAMPLES)]
    Odds(crate::odds::OddsArgs),
    /// Validates set-ups, house rules, cases and replays: every fault at once, with line and reason.
    Check {
        /// The files; `-` reads the standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Measures the speed of the house on `awi/s40` and the other games' `s40` against it, and prints it beside the goals.
    Bench(BenchArgs),
    /// Lets bots fight each other over all scenarios of a rulebook: Elo with 95 % intervals, and who beats whom.
    #[command(after_help = crate::arena::EXAMPLES)]
    Arena(crate::arena::ArenaArgs),
    /// Fights even battles and rides charges, and prints whether the reconstructed charts of `iron` or `empire` hold.
    #[command(after_help = crate::tuning::EXAMPLES)]
    Tuning(crate::tuning::TuningArgs),
    /// Serves battles and the browser table to this machine, or to others.
    #[command(after_help = crate::serve::EXAMPLES)]
    Serve(crate::serve::ServeArgs),
    /// Prints a tab-completion script.
    Completions {
        /// For which shell.
        shell: Shell,
    },
}

/// How studies of many battles are run.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The number all dice come from.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Threads; one per core if left out.
    #[arg(long, value_name = "J", default_value_t = 0)]
    pub jobs: usize,
}

/// How much bots that look ahead may think about a question in such a study.
#[derive(Args, Debug)]
pub struct ThinkArgs {
    /// Orders in imagined battles for each question, instead of as many as the bot's level has.
    #[arg(long, value_name = "N", conflicts_with = "clock", value_parser = clap::value_parser!(u32).range(1..))]
    pub orders: Option<u32>,
    /// As long as where people wait for the answer; counts answers that come too late. No two runs need be alike.
    #[arg(long)]
    pub clock: bool,
}

impl ThinkArgs {
    pub fn thinking(&self) -> Thinking {
        match self.orders {
            Some(orders) => Thinking::Orders(orders),
            None if self.clock => Thinking::Clock,
            None => Thinking::Usual,
        }
    }

    /// As it would be typed, with a space before it; nothing where nothing was.
    pub fn typed(&self) -> String {
        match self.thinking() {
            Thinking::Usual => String::new(),
            Thinking::Orders(orders) => format!(" --orders {orders}"),
            Thinking::Clock => " --clock".to_owned(),
        }
    }
}

#[derive(Args, Debug)]
pub struct ClausesArgs {
    /// The rulebook, one of those `grognard rulesets` lists.
    #[arg(long, value_name = "ID", default_value = "awi")]
    pub ruleset: String,
    /// Lines for people instead of JSON.
    #[arg(long)]
    pub text: bool,
    /// JSON, which is the default.
    #[arg(long, conflicts_with = "text")]
    pub json: bool,
    /// Names of cases come from this folder instead of those built into the program.
    #[arg(long, value_name = "FOLDER")]
    pub cases: Option<PathBuf>,
}

const PLAY_HELP: &str = "\
In the battle: a number takes a suggestion, `?` lists the words that answer the question, `odds 3` or
`odds fire 40th at militia` tells the odds, `map`, `card UNIT`, `clause awi.3b-c` or `clause fpw.react-d`, `log`,
`undo`, `save FILE`, `concede`, `quit`. What you type may also come from a file or a pipe; at its end the battle is saved.

Examples:
  grognard play
  grognard play awi/cowpens --as american --against random --seed 1781
  grognard play --resume grognard-skirmish.jsonl
  grognard play awi/savannah --against human
  grognard play fpw/vionville --as french";

#[derive(Args, Debug)]
pub struct PlayArgs {
    /// A scenario's id, or a set-up file.
    #[arg(value_name = "SCENARIO", conflicts_with = "resume")]
    pub scenario: Option<String>,
    /// The side you lead, by key or name; the first one if left out.
    #[arg(long = "as", value_name = "SIDE")]
    pub side: Option<String>,
    /// The enemy: a bot, or `human` for two at one keyboard.
    #[arg(long, value_name = "BOT|human", default_value = "careful", value_parser = enemy)]
    pub against: Enemy,
    /// The number all dice come from; a fresh one if left out.
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// House rules laid over the scenario.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub house: Option<PathBuf>,
    /// Goes on with a saved battle.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Where the battle is saved when you leave or it ends.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Columns of the map.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..=200))]
    pub columns: Option<u16>,
    /// When to use colour.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_enum)]
    pub colour: Colour,
}

/// Who sits on the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enemy {
    Human,
    Bot(Level),
}

fn enemy(word: &str) -> Result<Enemy, String> {
    if word == "human" {
        return Ok(Enemy::Human);
    }
    word.parse().map(Enemy::Bot).map_err(|error: String| format!("{error}, human"))
}

fn level(word: &str) -> Result<Level, String> {
    word.parse()
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

const SIM_HELP: &str = "\
A and B are the scenario's first and second side; with --swap every seed is played twice, the second time with
seats swapped, and wins are counted by bot. The same seed gives the same result whatever --jobs is: compare `digest`.

Examples:
  grognard sim awi/skirmish --games 400 --seed 1 --a careful --b random --swap
  grognard sim awi/s40 --games 100 --seed 7 --a careful --b careful --jobs 2 --json
  grognard sim fpw/vionville --games 1000 --seed 7 --a careful --b careful --json
  grognard sim iron/frontier --games 20 --a veteran --b careful --swap --orders 200
  grognard sim my-scenario.toml --games 50 --house bigger-guns.toml --verify";

#[derive(Args, Debug)]
pub struct SimArgs {
    /// A scenario's id, or a set-up file.
    #[arg(value_name = "SCENARIO")]
    pub scenario: String,
    /// How many battles.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// The number all dice come from.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The bot called A.
    #[arg(long, value_name = "BOT", default_value = "careful", value_parser = level)]
    pub a: Level,
    /// The bot called B.
    #[arg(long, value_name = "BOT", default_value = "careful", value_parser = level)]
    pub b: Level,
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Plays every seed twice, the second time with seats swapped.
    #[arg(long)]
    pub swap: bool,
    /// Threads; one per core if left out.
    #[arg(long, value_name = "J", default_value_t = 0)]
    pub jobs: usize,
    /// House rules laid over the scenario.
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
    /// Plays every battle again from its replay and compares; a difference is a fault.
    #[arg(long)]
    pub verify: bool,
    /// Writes one line of JSON for each battle.
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Writes replays of battles that went wrong into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub replays: Option<PathBuf>,
    /// For programs.
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand, Debug)]
pub enum ChartsCommand {
    /// Prints every figure with its source as a house-rule file: correct it, `grognard check` it, and play with
    /// `--house`.
    Export {
        /// The rulebook, one of those `grognard rulesets` lists.
        #[arg(value_name = "ID")]
        ruleset: String,
        /// Into a file instead of the standard output; one that is there already is kept.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Subcommand, Debug)]
pub enum CaseCommand {
    /// Runs cases: files, or folders with all their `.toml` files. Without a path, those built into the program.
    Run {
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Draws the situation a case begins with.
    Draw {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Where the picture goes; without it the map is printed as text.
        #[arg(long, value_name = "OUT")]
        svg: Option<PathBuf>,
    },
}

#[derive(Subcommand, Debug)]
pub enum ReplayCommand {
    /// Plays every order again and compares the state after each with the recorded one.
    Verify {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Shows the table, and what led to it.
    Show {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// After so many orders; at the end if left out.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// Draws the table as a picture.
        #[arg(long, value_name = "OUT")]
        svg: Option<PathBuf>,
        /// Tells everything that happened, not only the last order.
        #[arg(long)]
        chronicle: bool,
        /// When to use colour.
        #[arg(long, value_name = "WHEN", default_value = "auto", value_enum)]
        colour: Colour,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Counts the dice: faces, means by side, and whether luck alone explains them.
    Stats {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// How often each thing is measured.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub repeats: u16,
    /// Battles in each repeat.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: u32,
    /// Counts instructions too, which do not depend on what else the machine does; needs valgrind and a minute or two.
    #[arg(long)]
    pub instructions: bool,
    /// For programs.
    #[arg(long)]
    pub json: bool,
}
