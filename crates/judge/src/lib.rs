//! A family of rulebooks for the browser. The page loads it when a battle of that family is opened, and asks it by
//! text: which pieces stand where, whether a draft may be given, what it would do.
//!
//! It leaves one function behind, `grognardJudge_FAMILY`, which takes a call and returns the answer.

use engine::Telling;
use engine::dump::{TypedUnpacker, Unpacker};
use engine::relay::Judge;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

/// The unpacker, where a family has this ruleset.
fn unpacker<R: Telling>(ruleset: &str) -> Option<Box<dyn Unpacker>> {
    R::edition_no(ruleset)?;
    Some(Box::new(TypedUnpacker::<R>::default()))
}

/// Judges battles of a family for as long as the page is open.
pub fn run<R: Telling + 'static>() {
    console_error_panic_hook::set_once();
    let judge = RefCell::new(Judge::new(unpacker::<R>));
    let answer = Closure::<dyn Fn(String) -> String>::new(move |call: String| judge.borrow_mut().answer(&call));
    let name = JsValue::from_str(&format!("grognardJudge_{}", R::family()));
    if js_sys::Reflect::set(&js_sys::global(), &name, answer.as_ref()).is_ok() {
        // The page may ask for as long as it is open.
        answer.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Ruleset;

    fn knows_its_own<R: Telling>() {
        assert!(R::EDITIONS.iter().all(|edition| unpacker::<R>(edition.id).is_some()));
        assert!(unpacker::<R>("whist").is_none());
    }

    #[test]
    fn a_judge_takes_the_books_of_its_family_and_no_others() {
        knows_its_own::<awi::Awi>();
        knows_its_own::<fpw::Fpw>();
        knows_its_own::<guns::Guns>();
        knows_its_own::<days::Days>();
        assert!(unpacker::<awi::Awi>(<fpw::Fpw as Ruleset>::EDITIONS[0].id).is_none());
    }
}
