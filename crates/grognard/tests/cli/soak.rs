//! A short soak of the real server: battles over real sockets while it is killed. `cargo run --release -p grognard-load
//! -- soak` is the long one.

use load::soak::{self, Soak};
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn a_killed_server_loses_no_order_it_acknowledged() {
    let data = std::env::temp_dir().join(format!("grognard-soak-{}", std::process::id()));
    let soak = Soak {
        server: PathBuf::from(env!("CARGO_BIN_EXE_grognard")),
        data: data.clone(),
        battles: 12,
        at_once: 12,
        kills: 3,
        between: (Duration::from_millis(400), Duration::from_millis(1600)),
        pace: Duration::from_millis(20),
        most_orders: 400,
        scenario: "awi/skirmish".to_owned(),
        seed: 3,
        deadline: Duration::from_secs(120),
    };
    let report = soak::run(&soak, &mut |_| {}).unwrap();
    assert!(report.faults.is_empty(), "{report:#?}; see {}", data.display());
    assert_eq!((report.battles, report.verified, report.kills), (12, 12, 3), "{report:#?}");
    assert!(report.acknowledged > 500, "{report:#?}");
    let _ = std::fs::remove_dir_all(&data);
}
