#[test]
fn probe() {
    let text = std::fs::read_to_string("/tmp/h3json/out.jsonl").unwrap();
    let mut bad = 0;
    for line in text.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let ours = hieratic_nomad::probe(v["in"].as_str().unwrap().as_bytes());
        let same = match &ours {
            Ok(t) => v["out"].as_str() == Some(t),
            Err(e) => v["error"].as_str() == Some(e),
        };
        if !same {
            bad += 1;
            println!("{:.200}\n  ref {:?}\n  us {:?}", v["in"].as_str().unwrap(), v["error"], ours.err());
        }
    }
    assert_eq!(bad, 0);
}
