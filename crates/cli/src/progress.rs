//! A line of progress on the terminal for work that takes longer than half a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use hieratic_lint::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// The time before the line is drawn.
const DELAY: Duration = Duration::from_millis(500);
/// The time between two drawings while no step is done.
const TICK: Duration = Duration::from_millis(200);

/// A line that shows itself when the work takes long: the part that is done, the speed, and the time left.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    /// The kind of the steps that are counted.
    label: Mutex<&'static str>,
    /// Draws the line after a while; it ends when the sender is dropped.
    timer: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Bar {
    /// A line on standard error, if that is a terminal and not quiet. From now on, an interruption is answered with a
    /// sentence.
    pub(crate) fn new(quiet: bool) -> Bar {
        interruption::watch();
        let is_shown = std::io::stderr().is_terminal() && !quiet;
        Bar::drawn_on(DELAY, is_shown.then_some(ProgressDrawTarget::stderr))
    }

    /// A line for work beside a service, which answers an interruption itself. None if standard error is no terminal.
    pub(crate) fn beside() -> Bar {
        Bar::drawn_on(DELAY, std::io::stderr().is_terminal().then_some(ProgressDrawTarget::stderr))
    }

    /// Shows how much of the work is done.
    pub(crate) fn show(&self, what: &'static str, done: usize, all: usize) {
        self.begin(what, 0);
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
    }

    fn drawn_on(delay: Duration, target: Option<impl FnOnce() -> ProgressDrawTarget + Send + 'static>) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        // The template is a constant; were it wrong, the line would look plain.
        if let Ok(style) = ProgressStyle::with_template("{msg}{rest}") {
            bar.set_style(style.with_key("rest", rest));
        }
        let timer = target.and_then(|target| {
            let (sender, receiver) = channel::<()>();
            let own = bar.clone();
            let timer = std::thread::Builder::new().spawn(move || {
                if receiver.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                    own.set_draw_target(target());
                    own.enable_steady_tick(TICK);
                }
            });
            // Without a thread there is no line; the work is done all the same.
            timer.map_or(None, |timer| Some((sender, timer)))
        });
        Bar { bar, label: Mutex::new(""), timer: Mutex::new(timer) }
    }

    /// Takes the line away while something else is written.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        let timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((sender, timer)) = timer {
            drop(sender);
            // A timer that panicked has drawn nothing.
            let _ = timer.join();
        }
        self.bar.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Writes the speed and the time left, once both are known.
fn rest(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    // The line is drawn again at once, so what cannot be written is not missed.
    if all == 0 {
        let done = if done == 0 { String::new() } else { format!(": {done}") };
        let _ = write!(out, "{done}, {} s so far", state.elapsed().as_secs());
        return;
    }
    let _ = write!(out, ": {done} of {all}");
    if done == 0 || done >= all {
        return;
    }
    let (rate, left) = (state.per_sec(), state.eta().as_secs() + 1);
    let left = if left >= 120 { format!("{} min", left.div_ceil(60)) } else { format!("{left} s") };
    let _ = match rate {
        rate if rate >= 10.0 => write!(out, ", {rate:.0}/s, {left} left"),
        rate => write!(out, ", {rate:.1}/s, {left} left"),
    };
}

impl Progress for Bar {
    fn begin(&self, subject: &'static str, steps: usize) {
        let mut known = self.label.lock().unwrap_or_else(PoisonError::into_inner);
        if *known == subject {
            self.bar.inc_length(steps as u64);
            return;
        }
        *known = subject;
        self.bar.set_message(subject);
        self.bar.set_position(0);
        self.bar.set_length(steps as u64);
        self.bar.reset_eta();
    }

    fn step(&self) {
        self.bar.inc(1);
    }
}

/// Ctrl-C: the line is taken away, and a sentence says what became of the work.
mod interruption {
    /// Prints a sentence and ends the process when it is interrupted. Answers are printed when they are complete, and
    /// files are replaced at once, so nothing is half written.
    #[cfg(unix)]
    pub(super) fn watch() {
        use std::sync::Once;

        static ONCE: Once = Once::new();
        /// The exit status of a process that SIGINT ends, as shells count it.
        const INTERRUPTED: i32 = 130;
        ONCE.call_once(|| {
            // Without a handler, an interruption ends the process without a sentence.
            let Ok(mut signals) = signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT]) else { return };
            // Without a thread, nothing would answer the signal.
            let handle = signals.handle();
            let waiting = std::thread::Builder::new().spawn(move || {
                // While a pager runs, an interruption is for it.
                if signals.forever().any(|_| !crate::pager::is_running()) {
                    crate::report::send("\rinterrupted: nothing was written");
                    std::process::exit(INTERRUPTED);
                }
            });
            if waiting.is_err() {
                handle.close();
            }
        });
    }

    #[cfg(not(unix))]
    pub(super) fn watch() {}
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
        Bar::drawn_on(patience, Some(move || ProgressDrawTarget::term_like_with_hz(Box::new(paper), 200)))
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
        // The line is drawn again after a while.
        std::thread::sleep(TICK * 2);
        let text = paper.text();
        assert!(text.contains("files: 4 of 9, ") && text.contains(" s left"), "{text:?}");
        bar.finish();
        assert!(paper.text()[text.len()..].contains("\u{1b}[2K"), "{:?}", paper.text());
    }

    #[test]
    fn a_kind_of_steps_is_counted_by_itself() {
        let paper = Paper::default();
        let bar = on(&paper, Duration::from_millis(1));
        bar.begin("files", 3);
        (0..3).for_each(|_| bar.step());
        bar.begin("nodes", 5);
        bar.begin("nodes", 5);
        std::thread::sleep(Duration::from_millis(300));
        bar.step();
        bar.finish();
        assert!(
            paper.text().contains("nodes: 0 of 10") || paper.text().contains("nodes: 1 of 10"),
            "{:?}",
            paper.text()
        );
    }

    #[test]
    fn no_bar_is_drawn_without_a_terminal() {
        assert!(Bar::drawn_on(Duration::ZERO, None::<fn() -> ProgressDrawTarget>).bar.is_hidden());
    }
}
