//! The end of a service: what is underway is answered.

use std::time::Duration;

use serde_json::json;

use crate::access::slow;

#[test]
fn running_requests_are_answered_before_the_end() {
    for signal in ["TERM", "INT"] {
        let repository = slow(1.0);
        let mut service = repository.serve(&["--allow-programs"]);
        let url = service.url.clone();
        let requested = std::thread::scope(|scope| {
            let requested = scope.spawn(|| service.lookup("n", "some::key"));
            std::thread::sleep(Duration::from_millis(400));
            service.signal(signal);
            requested.join().unwrap()
        });
        assert_eq!(requested.value(), json!("late"));
        let status = service.ended();
        assert!(status.success(), "{status}");
        assert!(crate::service::agent().get(format!("{url}/healthz")).call().is_err());
    }
}

#[test]
fn the_end_does_not_wait_for_ever() {
    let repository = slow(15.0);
    let mut service = repository.serve(&["--shutdown-timeout", "0.3", "--timeout", "20", "--allow-programs"]);
    let url = service.url.clone();
    let requested = std::thread::spawn(move || {
        let body = r#"{"node": "n", "keys": ["some::key"]}"#;
        crate::service::agent().post(format!("{url}/v1/lookup")).header("content-type", "application/json").send(body)
    });
    std::thread::sleep(Duration::from_millis(400));
    service.signal("TERM");
    assert!(service.ended().success());
    // If the service had waited, the request would have its answer.
    assert!(requested.join().unwrap().is_err());
}
