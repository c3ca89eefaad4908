//! Dice drawn as dice, and odds drawn as small plots.

use engine::Odds;
use leptos::prelude::*;

/// Where the pips of a six-sided die sit, in quarters of its side.
const PIPS: [&[(f64, f64)]; 7] = [
    &[],
    &[(0.5, 0.5)],
    &[(0.27, 0.27), (0.73, 0.73)],
    &[(0.27, 0.27), (0.5, 0.5), (0.73, 0.73)],
    &[(0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73)],
    &[(0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)],
    &[(0.27, 0.25), (0.73, 0.25), (0.27, 0.5), (0.73, 0.5), (0.27, 0.75), (0.73, 0.75)],
];

/// A roll as the record writes it, `2d6: 5 6`, taken apart: the sides of each die and what it shows.
pub fn read_roll(text: &str) -> Vec<(u32, u32)> {
    let Some((pool, pips)) = text.split_once(':') else { return Vec::new() };
    let mut sides = Vec::new();
    for part in pool.split('+') {
        let Some((count, die)) = part.trim().split_once('d') else { continue };
        let count: usize = count.trim().parse().unwrap_or(1);
        let faces: u32 = die.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(6);
        sides.extend(std::iter::repeat_n(faces, count.min(100)));
    }
    let shown = pips.split_whitespace().filter_map(|word| word.trim_end_matches(',').parse().ok());
    sides.into_iter().zip(shown).collect()
}

/// The dice of a roll.
#[component]
pub fn Dice(rolls: Vec<String>) -> impl IntoView {
    let spoken = rolls.join(", ");
    let dice: Vec<(u32, u32)> = rolls.iter().flat_map(|roll| read_roll(roll)).collect();
    (!dice.is_empty()).then(|| {
        view! {
            <span class="dice" role="img" aria-label=format!("dice {spoken}") title=spoken.clone()>
                {dice.into_iter().map(|(faces, shows)| die(faces, shows)).collect_view()}
            </span>
        }
    })
}

/// One die.
pub fn die(faces: u32, shows: u32) -> impl IntoView + use<> {
    let body = match faces {
        6 => "M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2h-18a2 2 0 0 1-2-2v-18a2 2 0 0 1 2-2z",
        4 => "M12 1l11 21h-22z",
        8 => "M12 0l12 12l-12 12l-12-12z",
        10 => "M12 0l11 14l-11 9l-11-9z",
        _ => "M12 0l10.4 6v12l-10.4 6l-10.4-6v-12z",
    };
    let pips = if faces == 6 { PIPS.get(shows as usize).copied().unwrap_or(&[]) } else { &[] };
    let figure = (faces != 6).then(|| {
        view! { <text x="12" y="17" text-anchor="middle">{shows}</text> }
    });
    view! {
        <svg class="die" viewBox="0 0 24 24" aria-hidden="true">
            <path d=body></path>
            {pips.iter().map(|(x, y)| view! { <circle cx=x * 24.0 cy=y * 24.0 r="2.3"></circle> }).collect_view()}
            {figure}
        </svg>
    }
}

/// One throw's odds with whatever follows from it.
#[component]
pub fn OddsPlot(odds: Odds) -> AnyView {
    let most = odds.bars.iter().map(|bar| bar.chance).fold(0.01_f64, f64::max);
    let bars = odds.bars.iter().map(|bar| {
        let height = format!("height:{:.0}%", bar.chance / most * 100.0);
        let percent = format!("{:.0}%", bar.chance * 100.0);
        view! {
            <li title=bar.exact.clone()>
                <span class="percent">{percent}</span>
                <span class="bar" style=height></span>
                <span class="label">{bar.label.clone()}</span>
            </li>
        }
    });
    let bars = bars.collect_view();
    let plot = match odds.bars.as_slice() {
        // What is certain needs no plot.
        [only] => view! { <p class="certain">{only.label.clone()}", for certain"</p> }.into_any(),
        _ => view! { <ul>{bars}</ul> }.into_any(),
    };
    let counts = counts(&odds);
    let then = odds.then.into_iter().map(|next| view! { <OddsPlot odds=next/> }).collect_view();
    view! {
        <figure class="odds" data-test="odds">
            <figcaption>{odds.title}</figcaption>
            {plot}
            {counts}
            {then}
        </figure>
    }
    .into_any()
}

/// What counts for a throw: each figure, what it makes of the odds, and the clause that says so.
fn counts(odds: &Odds) -> Option<AnyView> {
    let rows = odds.factors.iter().map(|factor| {
        view! {
            <tr>
                <th scope="row">{factor.label.clone()}</th>
                <td class="figure">{factor.figure.clone()}</td>
                <td class="figure">{factor.makes.clone()}</td>
                <td class="source" title=factor.clause.clone()>{factor.source.clone()}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let table = view! {
        <details class="reckoning" data-test="factors"><summary>"What counts"</summary><table><tbody>{rows}</tbody></table></details>
    };
    (!odds.factors.is_empty()).then(|| table.into_any())
}

#[cfg(test)]
mod tests {
    use super::read_roll;

    #[test]
    fn rolls_are_taken_apart() {
        assert_eq!(read_roll("2d6: 5 6"), [(6, 5), (6, 6)]);
        assert_eq!(read_roll("1d6+1d10: 3 0"), [(6, 3), (10, 0)]);
        assert_eq!(read_roll("d20: 17"), [(20, 17)]);
        assert!(read_roll("nothing").is_empty());
    }
}
