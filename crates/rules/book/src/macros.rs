//! Small languages the rulebooks are written in: words of a file as an enum, clauses by meaning, charts as structs.

/// Enums whose variants are words of files and sentences.
#[macro_export]
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$alt:meta])* $variant:ident = $word:literal,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[allow(missing_docs)]
        pub enum $name { $($(#[$alt])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// As written in files and sentences.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// Reads the word.
            pub fn parse(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|one| one.word() == word)
            }
        })*
    };
}

/// Structs of cited figures.
#[macro_export]
macro_rules! chart {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)]
        pub struct $name { $(pub $field: $kind,)* })*
    };
}

/// The clauses of a rulebook by meaning.
#[macro_export]
macro_rules! clauses {
    ($book:literal: $($name:ident = $id:literal,)*) => {
        $crate::clauses! { $($name = ($book, ".", $id),)* }
    };
    ($($name:ident = $id:literal,)*) => {
        $crate::clauses! { $($name = ($id),)* }
    };
    ($($name:ident = ($($id:literal),*),)*) => {
        /// A clause of the specification.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Clause { $($name,)* }

        impl Clause {
            /// Every clause the code can cite.
            pub const ALL: &'static [Clause] = &[$(Clause::$name,)*];

            /// The id of the specification.
            pub const fn id(self) -> &'static str {
                match self { $(Clause::$name => concat!($($id),*),)* }
            }
        }

        impl From<Clause> for engine::ClauseId {
            fn from(clause: Clause) -> engine::ClauseId {
                engine::ClauseId(clause.id())
            }
        }
    };
}

/// A game's own way to gather answers: all that [`telling::offer::Offer`](crate::telling::offer::Offer) has, and room for
/// methods of the game.
#[macro_export]
macro_rules! offer {
    ($ruleset:ty) => {
        /// Gathers the ways to answer one question of this game.
        pub struct Offer<'v, 's>($crate::telling::offer::Offer<'v, 's, $ruleset>);

        impl<'v, 's> Offer<'v, 's> {
            /// Nothing offered yet.
            pub fn new(
                view: &'v engine::View<'s, $ruleset>,
                asked: &'v engine::Asked<$ruleset>,
                side: engine::Side,
            ) -> Offer<'v, 's> {
                Offer($crate::telling::offer::Offer::new(view, asked, side))
            }

            /// All that was offered.
            pub fn into_gestures(self) -> Vec<engine::scene::Gesture> {
                self.0.gestures
            }
        }

        impl<'v, 's> std::ops::Deref for Offer<'v, 's> {
            type Target = $crate::telling::offer::Offer<'v, 's, $ruleset>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl std::ops::DerefMut for Offer<'_, '_> {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }
    };
}
