//! Which part of the map is shown, and how large. Distances are those of the page the map is drawn on.

/// The view of the map: page units per screen pixel and where the page's corner lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Camera {
    /// Screen pixels per page unit.
    pub zoom: f64,
    /// Where the page's top left corner lies on the screen.
    pub x: f64,
    pub y: f64,
}

impl Default for Camera {
    fn default() -> Camera {
        Camera { zoom: 1.0, x: 0.0, y: 0.0 }
    }
}

/// The farthest and nearest one may go.
const LEAST: f64 = 0.15;
const MOST: f64 = 6.0;

impl Camera {
    /// Shows a rectangle of the page as large as the screen allows.
    pub fn fit(rect: (f64, f64, f64, f64), screen: (f64, f64)) -> Camera {
        let (x, y, w, h) = rect;
        let zoom = (screen.0 / w.max(1.0)).min(screen.1 / h.max(1.0)).clamp(LEAST, MOST);
        Camera { zoom, x: screen.0 / 2.0 - (x + w / 2.0) * zoom, y: screen.1 / 2.0 - (y + h / 2.0) * zoom }
    }

    /// From the screen to the page.
    pub fn page(&self, x: f64, y: f64) -> (f64, f64) {
        ((x - self.x) / self.zoom, (y - self.y) / self.zoom)
    }

    /// Moves the map under the hand.
    pub fn pan(self, dx: f64, dy: f64) -> Camera {
        Camera { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Comes nearer or goes farther, with one place of the screen kept where it is.
    pub fn zoom_at(self, factor: f64, x: f64, y: f64) -> Camera {
        let zoom = (self.zoom * factor).clamp(LEAST, MOST);
        let (px, py) = self.page(x, y);
        Camera { zoom, x: x - px * zoom, y: y - py * zoom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let camera = Camera::fit((0.0, 0.0, 1200.0, 900.0), (600.0, 600.0));
        let (px, py) = camera.page(200.0, 320.0);
        let (nx, ny) = camera.zoom_at(1.7, 200.0, 320.0).page(200.0, 320.0);
        assert!((px - nx).abs() < 1e-9 && (py - ny).abs() < 1e-9);
    }

    #[test]
    fn fitting_shows_all_of_it_in_the_middle() {
        let camera = Camera::fit((46.0, 104.0, 1000.0, 500.0), (500.0, 500.0));
        let (left, top) = camera.page(0.0, 0.0);
        let (right, bottom) = camera.page(500.0, 500.0);
        assert!(left <= 46.0 + 1e-6 && right >= 1046.0 - 1e-6 && top <= 104.0 && bottom >= 604.0);
    }
}
