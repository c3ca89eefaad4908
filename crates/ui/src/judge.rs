//! Who judges drafts: the program of a battle's family of rulebooks, fetched when the first board of it arrives.

use engine::dump::Unpacker;

#[cfg(target_arch = "wasm32")]
pub use remote::{ready, unpacker};

/// Outside the browser the rules are at hand.
#[cfg(not(target_arch = "wasm32"))]
pub fn unpacker(ruleset: &str, _family: &str) -> Option<Box<dyn Unpacker>> {
    rules::unpacker(ruleset)
}

/// Outside the browser there is nothing to wait for.
#[cfg(not(target_arch = "wasm32"))]
pub async fn ready(_family: &str) -> Result<(), String> {
    Ok(())
}

#[cfg(target_arch = "wasm32")]
mod remote {
    use super::Unpacker;
    use engine::relay::{Carry, RelayUnpacker};
    use std::cell::Cell;
    use std::rc::Rc;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;

    thread_local! {
        /// Chairs at the judges' so far.
        static CHAIRS: Cell<u32> = const { Cell::new(0) };
    }

    /// The judge of a family, once it is loaded.
    fn found(family: &str) -> Option<js_sys::Function> {
        let name = JsValue::from_str(&format!("grognardJudge_{family}"));
        js_sys::Reflect::get(&js_sys::global(), &name).ok()?.dyn_into().ok()
    }

    /// An unpacker of a chair of its own.
    pub fn unpacker(_ruleset: &str, family: &str) -> Option<Box<dyn Unpacker>> {
        let judge = found(family)?;
        let carry: Carry = Rc::new(move |call: &str| {
            let answer = judge.call1(&JsValue::UNDEFINED, &JsValue::from_str(call));
            answer.ok().and_then(|answer| answer.as_string()).unwrap_or_default()
        });
        let chair = CHAIRS.replace(CHAIRS.get() + 1);
        Some(Box::new(RelayUnpacker { chair, carry }))
    }

    /// Fetches the judge of a family unless it is here.
    pub async fn ready(family: &str) -> Result<(), String> {
        if found(family).is_some() {
            return Ok(());
        }
        // A name from a message becomes part of an address: only letters may.
        if family.is_empty() || !family.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Err(format!("this page does not know the rules of `{family}`"));
        }
        let why =
            |_| format!("the rules of this battle (`{family}`) could not be fetched; reload the page to try again");
        // The page's own script fetches: no text is ever made into a program here.
        let fetch = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("grognardFetchJudge")).map_err(why)?;
        let fetch: js_sys::Function = fetch.dyn_into().map_err(why)?;
        let loading = fetch.call1(&JsValue::UNDEFINED, &JsValue::from_str(family)).map_err(why)?;
        let loading: js_sys::Promise = loading.dyn_into().map_err(why)?;
        JsFuture::from(loading).await.map_err(why)?;
        found(family).map(drop).ok_or_else(|| why(JsValue::UNDEFINED))
    }
}
