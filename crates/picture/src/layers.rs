//! The same map in layers, for a page on which pieces move: the ground, each piece, the names, and outlines for
//! whatever the pointer asks for.

use super::pen::{Cloth, FOOT, LEFT, Pen, TOP, n, path_px};
use super::{effects, frame, ground, lettering, pieces, spare};
use engine::scene::{Scene, ScenePiece};
use table::{Length, Outline, Point, Vec2};

/// The page a table is drawn on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sheet {
    size: (Length, Length),
    unit: f64,
    height: f64,
    /// The whole page.
    pub page: (f64, f64),
}

impl Sheet {
    /// The page of a table.
    pub fn new(size: (Length, Length)) -> Sheet {
        let pen = Pen::new(size);
        let page = (pen.width + 2.0 * LEFT, pen.height + TOP + FOOT);
        Sheet { size, unit: pen.unit, height: pen.height, page }
    }

    /// From the table to the page.
    pub fn at(&self, place: Point) -> Vec2 {
        self.pen().at(place.vec())
    }

    /// From the page to the table, kept on it.
    pub fn table(&self, x: f64, y: f64) -> Point {
        let across = Length::inches((x - LEFT) / self.unit);
        let up = Length::inches((self.height - (y - TOP)) / self.unit);
        Point::new(across.max(Length::ZERO).min(self.size.0), up.max(Length::ZERO).min(self.size.1))
    }

    /// A length on the page.
    pub fn px(&self, length: Length) -> f64 {
        length.as_inches() * self.unit
    }

    /// The part of the page that is the table: left, top, width, height.
    pub fn map(&self) -> (f64, f64, f64, f64) {
        (LEFT, TOP, self.page.0 - 2.0 * LEFT, self.height)
    }

    /// Paper, ground, frame, compass and the names of places: what never moves.
    pub fn ground(&self, scene: &Scene) -> String {
        let mut pen = self.pen();
        frame::definitions(&mut pen);
        frame::sheet(&mut pen, false);
        pen.put("<g clip-path=\"url(#table)\">");
        ground(&mut pen, scene);
        pen.put("</g>");
        let mut cloth = Cloth::default();
        spare(&pen, scene, &mut cloth);
        frame::compass(&mut pen, &mut cloth);
        lettering::features(&mut pen, scene, &mut cloth);
        frame::furniture(&mut pen, scene, false);
        pen.finish()
    }

    /// One piece.
    pub fn piece(&self, piece: &ScenePiece) -> String {
        let mut pen = self.pen();
        effects::under(&mut pen, piece);
        pieces::put(&mut pen, piece);
        effects::over(&mut pen, piece);
        pen.finish()
    }

    /// Names and badges of all pieces; `scale` makes letters larger where the map is shown small.
    pub fn names(&self, scene: &Scene, scale: f64) -> String {
        let mut pen = self.pen();
        pen.lettering = scale.clamp(0.3, 4.0);
        let mut cloth = Cloth::default();
        pieces::cover(&pen, scene, &mut cloth);
        lettering::pieces(&mut pen, scene, &mut cloth);
        pen.finish()
    }

    /// The outline of stands as one path.
    pub fn stands(&self, stands: &[[Point; 4]]) -> String {
        let pen = self.pen();
        stands.iter().map(|stand| path_px(&stand.map(|corner| pen.at(corner.vec())), true)).collect()
    }

    /// The bars along the front of stands as one path, for ghosts.
    pub fn fronts(&self, stands: &[[Point; 4]]) -> String {
        let pen = self.pen();
        stands.iter().map(|stand| path_px(&[pen.at(stand[0].vec()), pen.at(stand[1].vec())], false)).collect()
    }

    /// A way through places as one path.
    pub fn way(&self, places: &[Point]) -> String {
        let pixels: Vec<Vec2> = places.iter().map(|place| self.at(*place)).collect();
        path_px(&pixels, false)
    }

    /// Any outline as one path.
    pub fn outline(&self, outline: &Outline) -> String {
        let pen = self.pen();
        match outline {
            Outline::Area(points) => {
                let pixels: Vec<Vec2> = points.iter().map(|point| pen.at(point.vec())).collect();
                path_px(&pixels, true)
            }
            Outline::Line { points, .. } => self.way(points),
            Outline::Disc { centre, radius } => {
                let (at, r) = (pen.at(centre.vec()), n(self.px(*radius)));
                let across = n(2.0 * self.px(*radius));
                format!("M{} {}m-{r} 0a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z", n(at.x), n(at.y))
            }
        }
    }

    fn pen(&self) -> Pen {
        Pen::new(self.size)
    }
}
