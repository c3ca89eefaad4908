use super::patch::without_gaps;
use table::{Length, Outline, Point, Shape, Vec2};

const INCH: Length = Length::whole_inches(1);

fn wall(points: &[(i32, i32)]) -> Shape {
    let points = points.iter().map(|(x, y)| Point::new(INCH * *x, INCH * *y)).collect();
    Shape::new(Outline::Line { points, width: Length::ZERO }).unwrap()
}

fn place(x: f64, y: f64) -> Vec2 {
    Vec2 { x: x * INCH.as_f64(), y: y * INCH.as_f64() }
}

#[test]
fn a_gap_leaves_the_wall_on_either_side_of_it() {
    let rest = without_gaps(&wall(&[(0, 0), (10, 0), (10, 10)]), &[place(4.0, 0.0)], INCH.half().as_f64());
    assert_eq!(rest.len(), 3);
    let stands = |at: Vec2| rest.iter().any(|shape| shape.distance(at) < 100.0);
    assert!(stands(place(3.4, 0.0)) && stands(place(4.6, 0.0)) && stands(place(10.0, 5.0)));
    assert!(!stands(place(4.0, 0.0)) && !stands(place(4.4, 0.0)));
}

#[test]
fn gaps_side_by_side_run_together() {
    let gaps = [place(4.0, 0.0), place(5.0, 0.0), place(0.0, 0.0)];
    let rest = without_gaps(&wall(&[(0, 0), (10, 0)]), &gaps, INCH.half().as_f64());
    assert_eq!(rest.len(), 2);
    let covers = |x: f64| rest.iter().any(|shape| shape.distance(place(x, 0.0)) < 100.0);
    assert!(!covers(0.2) && covers(1.0) && !covers(4.5) && covers(6.0));
}

#[test]
fn a_thin_wall_is_crossed_by_a_line_of_fire() {
    let cut = wall(&[(0, 5), (10, 5)]).clip((place(5.0, 0.0), place(5.0, 10.0)));
    assert_eq!(cut.len(), 1);
    assert!((cut[0].0 - 0.5).abs() < 1e-6);
}
