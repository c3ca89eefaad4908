//! The browser table. `main` is called by the page as soon as the program is loaded.

use leptos::prelude::*;

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}

/// The whole page.
#[component]
fn App() -> impl IntoView {
    view! { <h1>"Grognard"</h1> <p>{format!("{} scenarios", rules::SCENARIOS.len())}</p> }.into_any()
}
