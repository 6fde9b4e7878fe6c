//! A progress bar on the terminal for work that takes longer than a second.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hieratic_lint::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before the bar is drawn.
const DELAY: Duration = Duration::from_secs(1);

/// A bar that shows itself when the work takes long.
pub(crate) struct Bar {
    bar: ProgressBar,
    since: Instant,
    patience: Duration,
    /// Creates the target on which the bar is drawn.
    target: Box<dyn Fn() -> ProgressDrawTarget + Send + Sync>,
    shown: AtomicBool,
}

impl Bar {
    /// A bar on standard error, if that is a terminal.
    pub(crate) fn new() -> Bar {
        Bar::drawn_on(DELAY, || target(std::io::stderr().is_terminal()))
    }

    fn drawn_on(patience: Duration, target: impl Fn() -> ProgressDrawTarget + Send + Sync + 'static) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the bar would look plain.
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        Bar { bar, since: Instant::now(), patience, target: Box::new(target), shown: AtomicBool::new(false) }
    }

    /// Takes the bar away while something else is written.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the target of a bar: the terminal. Nothing is drawn into files and pipes.
fn target(is_terminal: bool) -> ProgressDrawTarget {
    if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

impl Progress for Bar {
    fn begin(&self, what: &'static str, steps: usize) {
        self.bar.set_message(what);
        self.bar.inc_length(steps as u64);
    }

    fn step(&self) {
        if self.since.elapsed() >= self.patience && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target((self.target)());
        }
        self.bar.inc(1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    /// A terminal that records its output.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn text(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            60
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.write_str("\u{1b}[2K")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn on(paper: &Paper, patience: Duration) -> Bar {
        let paper = paper.clone();
        Bar::drawn_on(patience, move || ProgressDrawTarget::term_like_with_hz(Box::new(paper.clone()), 200))
    }

    #[test]
    fn no_bar_is_drawn_for_short_work() {
        let paper = Paper::default();
        let bar = on(&paper, DELAY);
        bar.begin("files", 3);
        (0..3).for_each(|_| bar.step());
        bar.finish();
        assert_eq!(paper.text(), "");
    }

    #[test]
    fn the_bar_of_long_work_is_removed_at_the_end() {
        let paper = Paper::default();
        let bar = on(&paper, Duration::from_millis(30));
        bar.begin("files", 9);
        bar.step();
        assert_eq!(paper.text(), "");
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(30));
            bar.step();
        }
        let text = paper.text();
        assert!(text.contains("files") && text.contains("4/9"), "{text:?}");
        bar.finish();
        assert!(paper.text()[text.len()..].contains("\u{1b}[2K"), "{:?}", paper.text());
    }

    #[test]
    fn no_bar_is_drawn_without_a_terminal() {
        assert!(target(false).is_hidden());
    }
}
