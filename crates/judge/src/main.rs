//! One family of rulebooks for the browser. The page loads it when a battle of that family is opened, and asks it by
//! text: which pieces stand where, whether a draft may be given, what it would do.
//!
//! It leaves one function behind, `grognardJudge_FAMILY`, which takes a call and returns the answer.

use engine::Ruleset;
use engine::dump::{TypedUnpacker, Unpacker};
use engine::relay::Judge;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

#[cfg(feature = "days")]
type Book = days::Days;
#[cfg(all(feature = "guns", not(feature = "days")))]
type Book = guns::Guns;
#[cfg(all(feature = "fpw", not(any(feature = "guns", feature = "days"))))]
type Book = fpw::Fpw;
#[cfg(all(feature = "awi", not(any(feature = "fpw", feature = "guns", feature = "days"))))]
type Book = awi::Awi;

/// The unpacker, where this is the right judge for a ruleset.
fn unpacker(ruleset: &str) -> Option<Box<dyn Unpacker>> {
    Book::edition_no(ruleset)?;
    Some(Box::new(TypedUnpacker::<Book>::default()))
}

fn main() {
    console_error_panic_hook::set_once();
    let judge = RefCell::new(Judge::new(unpacker));
    let answer = Closure::<dyn Fn(String) -> String>::new(move |call: String| judge.borrow_mut().answer(&call));
    let name = JsValue::from_str(&format!("grognardJudge_{}", Book::family()));
    if js_sys::Reflect::set(&js_sys::global(), &name, answer.as_ref()).is_ok() {
        // The page may ask for as long as it is open.
        answer.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_takes_the_books_of_its_family_and_no_others() {
        assert!(Book::EDITIONS.iter().all(|edition| unpacker(edition.id).is_some()));
        assert!(unpacker("whist").is_none());
    }
}
