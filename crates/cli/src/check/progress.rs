//! How far the work is, for people who wait: a bar, on a terminal, once it takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hieratic_audit::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that shows itself when the work takes long.
pub(super) struct Bar {
    bar: ProgressBar,
    since: Instant,
    shown: AtomicBool,
}

impl Bar {
    pub(super) fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the bar would look plain.
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        Bar { bar, since: Instant::now(), shown: AtomicBool::new(false) }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, what: &'static str, steps: usize) {
        self.bar.set_message(what);
        self.bar.inc_length(steps as u64);
    }

    fn step(&self) {
        self.bar.inc(1);
        if self.since.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            // It draws nothing where standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}
