#![no_main]
//! A data file, every key of which is looked up, explained and traced: the plain and the traced way agree.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let root = folder.path();
    let hiera = "version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n  - {name: b, path: b.yaml}\n";
    let written = std::fs::write(root.join("hiera.yaml"), hiera)
        .and_then(|()| std::fs::create_dir(root.join("data")))
        .and_then(|()| std::fs::write(root.join("data/a.yaml"), data))
        .and_then(|()| std::fs::write(root.join("data/b.yaml"), data));
    if written.is_err() {
        return;
    }
    let settings = hieratic::Settings {
        environment_dir: Some(root.to_path_buf()),
        hiera_config: Some(root.join("none.yaml")),
        positions: true,
        ..hieratic::Settings::default()
    };
    let facts = hieratic::Facts::named("a.example.com");
    let Ok(environment) = hieratic::Environment::open(&settings) else { return };
    let Ok(node) = environment.node(&facts) else { return };
    let Ok(keys) = environment.keys(&node) else { return };
    for key in keys.iter().take(50) {
        let query = hieratic::Query::new(key);
        let plain = node.lookup(&query).ok();
        let traced = node.lookup_traced(&query).ok().map(|answer| answer.value.to_value());
        assert_eq!(plain, traced);
        let _ = node.explain(&query, hieratic::explain::Explain::default()).1.to_string();
    }
});
