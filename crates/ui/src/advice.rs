//! What would you do? The house's answer: up to three ways on, what each promises, and where the brigades would go.

use crate::desk::Desk;
use crate::hand::Judged;
use engine::thoughts::{Intent, Thoughts, Way};
use leptos::prelude::*;
use leptos::task::spawn_local;
use picture::{Sheet, escape};
use table::Vec2;
use wire::Hint;

/// What the house was asked, and what it said.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Advice {
    /// Nothing.
    #[default]
    Unasked,
    /// It is thinking about the question of this number.
    Asked(u32),
    /// This.
    Told(Hint),
    /// It could not say.
    Silent(u32, String),
}

impl Advice {
    /// The question it is about.
    pub fn about(&self) -> Option<u32> {
        match self {
            Advice::Unasked => None,
            Advice::Asked(no) | Advice::Silent(no, _) => Some(*no),
            Advice::Told(hint) => Some(hint.no),
        }
    }
}

/// The number of the question this seat is asked, where hints are allowed.
fn question(desk: Desk) -> Option<u32> {
    desk.with(|chair| {
        let allowed = chair.info.as_ref().is_some_and(|info| info.hints);
        chair.prompt.as_ref().filter(|_| allowed).map(|prompt| prompt.no.0)
    })
}

/// Asks the house.
pub fn ask(desk: Desk) {
    let Some(no) = untrack(|| question(desk)) else { return };
    if desk.advice.with_untracked(|advice| matches!(advice, Advice::Asked(asked) if *asked == no)) {
        return;
    }
    let Some(answer) = desk.ask_advice() else { return };
    desk.advice.set(Advice::Asked(no));
    spawn_local(async move {
        let told = match answer.await {
            Ok(Ok(hint)) => Advice::Told(hint),
            Ok(Err(problem)) => Advice::Silent(no, problem.why),
            Err(_) => Advice::Silent(no, "no advice came; ask again".to_owned()),
        };
        // By now another question may stand, which another answer belongs to.
        let still = desk.advice.try_with_untracked(|advice| advice.about() == Some(no)).unwrap_or(false);
        if still {
            desk.advice.set(told);
        }
    });
}

/// The button, and what the house said.
#[component]
pub fn AdviceBox(desk: Desk) -> impl IntoView {
    let no = Memo::new(move |_| question(desk));
    move || {
        let no = no.get()?;
        let advice =
            desk.advice.with(|advice| if advice.about() == Some(no) { advice.clone() } else { Advice::Unasked });
        let told = match advice {
            Advice::Unasked => ().into_any(),
            Advice::Asked(_) => view! { <p class="tip" role="status">"Let me think…"</p> }.into_any(),
            Advice::Silent(_, why) => {
                view! { <p class="tip" role="status" data-test="advice-silent">{why}</p> }.into_any()
            }
            Advice::Told(hint) => said(desk, hint),
        };
        Some(view! {
            <div class="advice" data-test="advice">
                <button class="plain small" data-test="ask-advice" on:click=move |_| ask(desk)>"What would you do? " <kbd>"h"</kbd></button>
                {told}
            </div>
        })
    }
}

fn said(desk: Desk, hint: Hint) -> AnyView {
    let plan = StoredValue::new(hint.thoughts.plan.clone());
    let idle = hint.thoughts.is_idle();
    let rows = hint.thoughts.ways.into_iter().enumerate().map(|(n, way)| way_row(desk, n, way, idle, plan));
    view! {
        <ol class="ways" data-test="advice-told">{rows.collect_view()}</ol>
        {plan_words(&plan.get_value())}
    }
    .into_any()
}

fn way_row(desk: Desk, n: usize, way: Way, idle: bool, plan: StoredValue<Vec<Intent>>) -> impl IntoView {
    let (shown, given) = (way.draft.clone(), way.draft.clone());
    let look = move || {
        let board = desk.peek(|chair| chair.board.clone());
        if let Some(board) = board {
            desk.glance.set(Some(Judged::of(board.as_ref(), shown.clone())));
        }
        if n == 0 {
            desk.intents.set(plan.get_value());
        }
    };
    let away = move || {
        desk.look_away();
        desk.intents.set(Vec::new());
    };
    let (enter, focus) = (look.clone(), look);
    let words = if idle { "there is nothing else to weigh".to_owned() } else { way.promise() };
    view! {
        <li>
            <button class="way" data-test="way"
                on:pointerenter=move |_| enter() on:pointerleave=move |_| away()
                on:focus=move |_| focus() on:blur=move |_| away()
                on:click=move |_| {
                    away();
                    desk.give(given.clone());
                }>{way.words.clone()}</button>
            <span class="tip">{words}</span>
        </li>
    }
}

fn plan_words(plan: &[Intent]) -> Option<impl IntoView + use<>> {
    let words: Vec<String> = plan.iter().map(|intent| intent.words.clone()).collect();
    (!words.is_empty()).then(|| view! { <p class="tip plan-words">"In the first of them: "{words.join("; ")}"."</p> })
}

/// What a bot thought, for whoever looks back.
pub fn mind_view(thoughts: &Thoughts) -> AnyView {
    let rows: Vec<_> = thoughts
        .ways
        .iter()
        .map(|way| view! { <li><b>{way.words.clone()}</b>" "<span class="tip">{way.promise()}</span></li> })
        .collect();
    let plan: Vec<String> = thoughts.plan.iter().map(|intent| intent.words.clone()).collect();
    view! {
        <ol class="ways" data-test="mind-ways">{rows}</ol>
        {(!plan.is_empty()).then(|| view! { <p class="tip plan-words">"Its plan: "{plan.join("; ")}"."</p> })}
    }
    .into_any()
}

/// Who goes no further than this, in points of the map, gets a ring of this size instead of an arrow.
const RING: f64 = 7.0;

/// Arrows from where brigades are to where they mean to be.
pub fn arrows(intents: &[Intent], sheet: &Sheet) -> String {
    let arrow = |intent: &Intent| {
        let (from, to) = (sheet.at(intent.from), sheet.at(intent.to));
        let (way, title) = (to - from, escape(&intent.words));
        let far = way.length();
        if far < RING {
            let Vec2 { x, y } = from;
            return format!(
                "<circle class=\"intent\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RING}\"><title>{title}</title></circle>"
            );
        }
        let back = way.normalised() * (far * 0.4).min(2.0 * RING);
        let [left, right] = [0.6, -0.6].map(|aside| to - back + back.perp_right() * aside);
        let place = |at: Vec2| format!("{:.1} {:.1}", at.x, at.y);
        format!(
            "<path class=\"intent\" d=\"M{}L{}M{}L{}L{}\"><title>{title}</title></path>",
            place(from),
            place(to),
            place(left),
            place(to),
            place(right)
        )
    };
    intents.iter().map(arrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Length, Point};

    #[test]
    fn whoever_stands_gets_a_ring_and_whoever_goes_an_arrow() {
        let sheet = Sheet::new((Length::inches(48.0), Length::inches(48.0)));
        let here = Point::new(Length::inches(10.0), Length::inches(10.0));
        let there = Point::new(Length::inches(10.0), Length::inches(16.0));
        let intent = |to: Point| Intent { command: "@first".to_owned(), words: "<1st>".to_owned(), from: here, to };
        let drawn = arrows(&[intent(here), intent(there)], &sheet);
        assert_eq!((drawn.matches("<circle").count(), drawn.matches("<path").count()), (1, 1));
        assert!(!drawn.contains("<1st>"), "names are escaped");
    }
}
