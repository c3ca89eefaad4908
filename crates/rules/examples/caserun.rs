fn main() {
    let mut bad = 0;
    let mut n = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let report = rules::case::run(&text);
        n += 1;
        if !report.passed() {
            bad += 1;
            println!("{path}: {}", report.title);
            for f in &report.failures {
                println!("    {f}");
            }
        }
    }
    println!("{} passed, {bad} failed", n - bad);
}
