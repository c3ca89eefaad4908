//! Typed words: a cursor over them, names found by prefix, lengths, bearings, places and legs.

use table::{Angle, Flank, Leg, Length, Point, Unit};

/// Nobody types an order longer than this.
const MOST_LETTERS: usize = 8_000;
/// The most words a name is looked for in.
const MOST_WORDS: usize = 6;

/// Lower case, one space between words, brackets and commas gone, `;` alone.
pub fn normal(text: &str) -> Result<String, String> {
    if text.len() > MOST_LETTERS {
        return Err(format!("an order is at most {MOST_LETTERS} letters long"));
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ',' | '(' | ')' | '[' | ']' | ':' => plain.push(' '),
            ';' => plain.push_str(" ; "),
            '’' => plain.push('\''),
            other => plain.extend(other.to_lowercase()),
        }
    }
    Ok(plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Something that can be named.
pub struct Named<T> {
    /// What it is.
    pub id: T,
    /// Its key.
    pub key: String,
    /// Its name, in normal form.
    pub name: String,
}

impl<T> Named<T> {
    /// A name as it may be typed.
    pub fn new(id: T, key: &str, name: &str) -> Named<T> {
        let plain = |text: &str| normal(text).unwrap_or_default();
        Named { id, key: plain(key), name: plain(name) }
    }

    /// Whether the words fit: by key or name in full, by their beginning, by the beginning of a later word.
    fn fits(&self, words: &str, grade: u8) -> bool {
        match grade {
            0 => self.key == words,
            1 => self.name == words,
            2 => self.key.starts_with(words) || self.name.starts_with(words),
            _ => self
                .name
                .match_indices(words)
                .any(|(at, _)| self.name.get(..at).is_some_and(|head| head.ends_with(' '))),
        }
    }
}

/// A cursor over typed words.
pub struct Words<'t> {
    words: Vec<&'t str>,
    at: usize,
    measure: Unit,
}

impl<'t> Words<'t> {
    /// The words of a text in normal form.
    pub fn of(text: &'t str) -> Words<'t> {
        Words::measured(text, Unit::Inch)
    }

    /// The same where a bare number is read in the measure of the battle.
    pub fn measured(text: &'t str, measure: Unit) -> Words<'t> {
        Words { words: text.split_whitespace().collect(), at: 0, measure }
    }

    /// The measure of a bare number, as it is typed and as it is said.
    fn bare(&self) -> (&'static str, &'static str) {
        match self.measure {
            Unit::Inch => ("in", "inches"),
            Unit::Centimetre => ("cm", "centimetres"),
        }
    }

    /// The next word.
    pub fn peek(&self) -> Option<&'t str> {
        self.words.get(self.at).copied()
    }

    /// All words that are left.
    pub fn rest(&self) -> &[&'t str] {
        self.words.get(self.at..).unwrap_or_default()
    }

    /// The next word, or nothing at the end.
    pub fn word(&mut self) -> &'t str {
        let word = self.peek().unwrap_or("");
        self.at += usize::from(!word.is_empty());
        word
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.peek().is_none()
    }

    /// Passes over any of these words; tells whether there was one.
    pub fn take(&mut self, any: &[&str]) -> bool {
        let found = self.peek().is_some_and(|word| any.contains(&word));
        self.at += usize::from(found);
        found
    }

    /// Nothing may be left.
    pub fn finish(&self) -> Result<(), String> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(format!("`{}` is not understood here", shorten(word))),
        }
    }

    /// Finds a name in the next words: the longest run of words that fits, in the first list where any does.
    pub fn name<T: Copy>(&mut self, what: &str, lists: &[Vec<Named<T>>]) -> Result<T, String> {
        let Some(first) = self.peek() else { return Err(format!("{what} is missing{}", some_of(lists))) };
        for list in lists {
            for count in (1..=MOST_WORDS.min(self.words.len() - self.at)).rev() {
                let run = self.words.get(self.at..self.at + count).unwrap_or_default().join(" ");
                let run = run.trim_start_matches('@');
                if run.is_empty() {
                    continue;
                }
                for grade in 0..4 {
                    let found: Vec<&Named<T>> = list.iter().filter(|named| named.fits(run, grade)).collect();
                    match found.as_slice() {
                        [] => continue,
                        [one] => {
                            self.at += count;
                            return Ok(one.id);
                        }
                        several => {
                            return Err(format!("`{}` may be {}", shorten(run), or(several.iter().map(|n| &*n.key))));
                        }
                    }
                }
            }
        }
        let near = near(first.trim_start_matches('@'), lists.iter().flatten().map(|named| (&*named.key, &*named.name)));
        let hint = if near.is_empty() { some_of(lists) } else { format!("; did you mean {}?", or(near.into_iter())) };
        Err(format!("`{}` is not {what}{hint}", shorten(first)))
    }

    /// A length; a bare number is in the measure of the battle.
    pub fn length(&mut self) -> Result<Length, String> {
        let word = self.word();
        if word.is_empty() {
            return Err("a length is missing, such as 4 or 4in".to_owned());
        }
        let mut text = word.trim_end_matches("es").trim_end_matches("ch").to_owned();
        if decimal(&text).is_some() {
            let unit = match self.peek() {
                Some("in" | "inch" | "inches" | "\"" | "″") => Some("in"),
                Some("cm") => Some("cm"),
                Some("mm") => Some("mm"),
                Some("ft" | "feet" | "foot") => Some("ft"),
                _ => None,
            };
            self.at += usize::from(unit.is_some());
            text.push_str(unit.unwrap_or(self.bare().0));
        }
        text.parse().map_err(|_| format!("`{}` is no length; expected one such as 4, 4.5in or 10cm", shorten(word)))
    }

    /// A place: two lengths from the western and southern edge.
    pub fn point(&mut self) -> Result<Point, String> {
        let measure = self.bare().1;
        let wrong = |error| format!("expected a place such as 12 30 ({measure} from west and south): {error}");
        let x = self.length().map_err(wrong)?;
        Ok(Point::new(x, self.length().map_err(wrong)?))
    }

    /// Whether a length comes next.
    pub fn is_number(&self) -> bool {
        self.peek().is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.'))
    }

    /// A bearing in degrees or by the compass.
    pub fn bearing(&mut self) -> Result<Angle, String> {
        let word = self.word();
        let compass = match word {
            "n" | "north" => Some(0),
            "ne" | "north-east" | "northeast" => Some(45),
            "e" | "east" => Some(90),
            "se" | "south-east" | "southeast" => Some(135),
            "s" | "south" => Some(180),
            "sw" | "south-west" | "southwest" => Some(225),
            "w" | "west" => Some(270),
            "nw" | "north-west" | "northwest" => Some(315),
            _ => None,
        };
        let angle = compass.map(Angle::whole).or_else(|| word.parse().ok());
        self.take(&["deg", "degrees", "°"]);
        angle.ok_or_else(|| format!("`{}` is no bearing; expected degrees such as 90, or n, ne, e …", shorten(word)))
    }

    /// How far to turn or wheel.
    fn turn(&mut self) -> Result<(Flank, Angle), String> {
        let flank = match self.word() {
            "left" => Flank::Left,
            "right" => Flank::Right,
            other => return Err(format!("expected left or right, not `{}`", shorten(other))),
        };
        let word = self.word();
        self.take(&["deg", "degrees", "°"]);
        let degrees = decimal(word.trim_end_matches('°')).filter(|degrees| (0.0..=180.0).contains(degrees));
        match degrees {
            Some(degrees) => Ok((flank, Angle::degrees(degrees))),
            None => Err(format!("`{}` is no turn; expected 0 to 180 degrees", shorten(word))),
        }
    }

    /// Whether a leg comes next.
    pub fn is_leg(&self) -> bool {
        const LEGS: [&str; 11] =
            ["ahead", "forward", "back", "left", "right", "wheel", "turn", "oblique", "about", "to", "straight"];
        self.peek().is_some_and(|word| LEGS.contains(&word))
    }

    /// A leg.
    pub fn leg(&mut self) -> Result<Leg, String> {
        let signed = |(flank, by): (Flank, Angle)| if flank == Flank::Left { -by } else { by };
        match self.word() {
            "ahead" | "forward" => Ok(Leg::Ahead(self.length()?)),
            "straight" if self.take(&["to"]) => Ok(Leg::Straight(self.point()?)),
            "straight" => Ok(Leg::Ahead(self.length()?)),
            "back" => Ok(Leg::Back(self.length()?)),
            "left" => Ok(Leg::Sideways(-self.length()?)),
            "right" => Ok(Leg::Sideways(self.length()?)),
            "about" => Ok(Leg::About),
            "turn" if self.take(&["about"]) => Ok(Leg::About),
            "turn" => Ok(Leg::Turn(signed(self.turn()?))),
            "wheel" => self.turn().map(|(pivot, by)| Leg::Wheel { pivot, by }),
            "oblique" => {
                let by = signed(self.turn()?);
                Ok(Leg::Oblique { by, go: self.length()? })
            }
            "to" => Ok(Leg::Straight(self.point()?)),
            other => Err(format!(
                "`{}` is no leg; expected ahead 4, back 2, left 1, wheel left 30, turn right 45, oblique left 45 3, \
                 about or to 12 30",
                shorten(other)
            )),
        }
    }
}

fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { text.parse().ok() } else { None }
}

/// A word of a stranger, short enough to be repeated to him.
pub fn shorten(word: &str) -> String {
    let short: String = word.chars().take(24).collect();
    if short.len() < word.len() { format!("{short}…") } else { short }
}

fn or<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.take(6).map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} or {last}", start.join(", ")),
    }
}

fn some_of<T>(lists: &[Vec<Named<T>>]) -> String {
    match lists.iter().find(|list| !list.is_empty()) {
        Some(list) if list.len() <= 12 => format!("; expected {}", or(list.iter().map(|named| &*named.key))),
        Some(list) => format!("; expected a key such as {}", or(list.iter().take(3).map(|named| &*named.key))),
        None => "; there is none".to_owned(),
    }
}

/// The keys most like a word.
pub fn near<'n>(word: &str, names: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<&'n str> {
    let most = (word.chars().count() / 2).clamp(1, 3);
    let mut found: Vec<(usize, usize, &str)> = names
        .filter_map(|(key, name)| {
            let spellings = std::iter::once(key).chain(name.split(' ')).chain(key.split('-'));
            let nearest =
                spellings.filter(|spelling| spelling.len() > 2).map(|spelling| distance(word, spelling)).min()?;
            (nearest <= most).then_some((nearest, distance(word, key), key))
        })
        .collect();
    found.sort();
    found.dedup_by(|a, b| a.2 == b.2);
    found.into_iter().take(3).map(|(_, _, key)| key).collect()
}

/// How many letters must be changed, added or dropped.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().take(40).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut corner = i;
        let mut last = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(&b) {
            let here = (corner + usize::from(left != right)).min(*cell + 1).min(last + 1);
            corner = *cell;
            *cell = here;
            last = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_apart() {
        assert_eq!(distance("milita", "militia"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn lengths_in_many_hands() {
        for text in ["4", "4in", "4 in", "4\"", "4 inches", "4inches", "4inch", "101.6mm", "10.16 cm", "+4"] {
            assert_eq!(Words::of(text).length(), Ok(Length::whole_inches(4)), "{text}");
        }
        for text in ["", "four", "in", "--4", "1e9", "NaN", ".", "9999999999999in", "″"] {
            assert!(Words::of(text).length().is_err(), "{text}");
        }
    }

    #[test]
    fn a_bare_number_is_in_the_measure_of_the_battle() {
        for text in ["4", "4 cm", "4cm", "40mm"] {
            assert_eq!(Words::measured(text, Unit::Centimetre).length(), Ok(Length::cm(4.0)), "{text}");
        }
        assert_eq!(Words::measured("4in", Unit::Centimetre).length(), Ok(Length::whole_inches(4)));
    }

    #[test]
    fn bearings_by_degree_and_compass() {
        for text in ["90", "90°", "e", "east", "90 degrees", "450"] {
            assert_eq!(Words::of(text).bearing(), Ok(Angle::EAST), "{text}");
        }
        assert!(Words::of("").bearing().is_err());
        assert!(Words::of("eastish").bearing().is_err());
    }
}
