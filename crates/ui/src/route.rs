//! Where the page is: everything after the `#`, so that keys to seats never reach a server's log.

/// A place of the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// The first page.
    Home,
    /// Choosing a battle.
    Muster { ruleset: String },
    /// At the table with one key.
    Battle { id: String, token: String },
    /// At the table with both keys.
    HotSeat { id: String, tokens: [String; 2] },
    /// A replay at a moment.
    Replay { id: String, token: String, moment: Option<u32> },
    /// The guided first battle.
    Lesson { id: String, token: String },
    /// The link leads nowhere.
    Lost,
}

impl Route {
    /// Reads what stands after the `#`.
    pub fn parse(hash: &str) -> Route {
        let words: Vec<&str> = hash.trim_start_matches('#').split('/').filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Route::Home,
            ["muster", ruleset] => Route::Muster { ruleset: (*ruleset).to_owned() },
            ["battle", id, token] => Route::Battle { id: (*id).to_owned(), token: (*token).to_owned() },
            ["lesson", id, token] => Route::Lesson { id: (*id).to_owned(), token: (*token).to_owned() },
            ["hotseat", id, a, b] => {
                Route::HotSeat { id: (*id).to_owned(), tokens: [(*a).to_owned(), (*b).to_owned()] }
            }
            ["replay", id, token] => Route::Replay { id: (*id).to_owned(), token: (*token).to_owned(), moment: None },
            ["replay", id, token, moment] => match moment.parse() {
                Ok(moment) => Route::Replay { id: (*id).to_owned(), token: (*token).to_owned(), moment: Some(moment) },
                Err(_) => Route::Lost,
            },
            _ => Route::Lost,
        }
    }

    /// The link.
    pub fn hash(&self) -> String {
        match self {
            Route::Home | Route::Lost => "#/".to_owned(),
            Route::Muster { ruleset } => format!("#/muster/{ruleset}"),
            Route::Battle { id, token } => format!("#/battle/{id}/{token}"),
            Route::Lesson { id, token } => format!("#/lesson/{id}/{token}"),
            Route::HotSeat { id, tokens: [a, b] } => format!("#/hotseat/{id}/{a}/{b}"),
            Route::Replay { id, token, moment: None } => format!("#/replay/{id}/{token}"),
            Route::Replay { id, token, moment: Some(moment) } => format!("#/replay/{id}/{token}/{moment}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Route;

    #[test]
    fn links_lead_back_to_where_they_came_from() {
        let word = |text: &str| text.to_owned();
        for route in [
            Route::Home,
            Route::Muster { ruleset: word("awi") },
            Route::Battle { id: word("b1"), token: word("t1") },
            Route::Lesson { id: word("b1"), token: word("t1") },
            Route::HotSeat { id: word("b1"), tokens: [word("t1"), word("t2")] },
            Route::Replay { id: word("b1"), token: word("t1"), moment: None },
            Route::Replay { id: word("b1"), token: word("t1"), moment: Some(12) },
        ] {
            assert_eq!(Route::parse(&route.hash()), route);
        }
        assert_eq!(Route::parse("#/nowhere/at/all"), Route::Lost);
        assert_eq!(Route::parse("#/replay/a/b/c"), Route::Lost);
    }
}
