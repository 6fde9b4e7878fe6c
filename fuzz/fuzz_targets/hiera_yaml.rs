#![no_main]
//! A `hiera.yaml`, and a lookup in the environment that it configures.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let root = folder.path();
    let written = std::fs::write(root.join("hiera.yaml"), data)
        .and_then(|()| std::fs::create_dir(root.join("data")))
        .and_then(|()| std::fs::write(root.join("data/common.yaml"), "k: 1\n"));
    if written.is_err() {
        return;
    }
    let settings = hieratic::Settings {
        environment_dir: Some(root.to_path_buf()),
        hiera_config: Some(root.join("none.yaml")),
        ..hieratic::Settings::default()
    };
    let facts = hieratic::Facts::named("a.example.com");
    if let Ok(node) = hieratic::Environment::open(&settings).and_then(|environment| environment.node(&facts)) {
        let query = hieratic::Query::new("k");
        let _ = node.lookup(&query);
        let _ = node.explain(&query, hieratic::explain::Explain::default()).1.to_string();
    }
});
