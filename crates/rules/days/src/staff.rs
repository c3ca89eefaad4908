//! Generals: command, attaching, wounds, capture, replacement. Section 14, A-14, A-16, A-68 to A-72, C-11.

pub mod command;
pub mod evade;
pub mod harm;
pub mod post;
pub mod replace;
pub mod ride;
#[cfg(test)]
pub(super) mod tests;

pub use command::{help_clauses, in_command, is_with, may_help, quality, serves, with};
pub use harm::{
    Company, company_of, hit_party, overrun, recover, release, ridden_over, risk, risk_of, rout_with, wound,
};
pub use post::follow;
pub use replace::{Replacing, advance, check_replace, execute_replace};
pub use ride::{check, execute};
