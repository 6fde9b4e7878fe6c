#![allow(dead_code, unused_imports, unused_macros)]
#[path = "../tests/conformance.rs"]
mod conformance;
fn main() {
    for line in std::io::stdin().lines() {
        let code: String = serde_json::from_str(&line.unwrap()).unwrap();
        let r = match conformance::outcome_pub(&code) {
            None => serde_json::json!({"foreign": true}),
            Some(Err(m)) => serde_json::json!({"error": m}),
            Some(Ok(v)) => serde_json::json!({"value": conformance::written_pub(&v), "type": hieratic_pcore::infer_set(&v).to_string()}),
        };
        println!("{r}");
    }
}
