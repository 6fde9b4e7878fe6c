//! The `reschedule` block: the number and delay of attempts on other nodes.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/reschedule>.

use hieratic_hcl_types::quoted;

use super::{JobType, Scope};
use crate::block::Block;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, HOUR, SECOND};

/// The shortest interval in which attempts are counted.
const MIN_INTERVAL: i64 = 15 * SECOND;

/// The shortest time between two attempts.
const MIN_DELAY: i64 = 5 * SECOND;

/// The maximum number of Fibonacci numbers that are computed one by one. They reach any realistic ceiling within 92
/// steps. A ceiling near the maximum of 64 bits may be missed for long, because larger numbers overflow.
const MAX_STEPS: i64 = 1 << 20;

/// A policy with its defaults.
struct Policy<'a> {
    attempts: i64,
    interval: i64,
    delay: i64,
    function: &'a str,
    max_delay: i64,
    unlimited: bool,
}

/// Checks the `reschedule` block of a group over that of its job, written or not.
pub(super) fn check(scope: &Scope<'_>, group: &Block<'_>, report: &mut Report) {
    let of_job = scope.job.block("Reschedule");
    let block = group.block("ReschedulePolicy").with_fallback(&of_job);
    if scope.kind.is_everywhere() {
        if block.is_written() || of_job.is_written() {
            report.add(block.path(), "System or sysbatch jobs should not have a reschedule policy");
        }
        return;
    }
    let policy = Policy::with_defaults(scope.kind, &block);
    if policy.attempts > 0 || policy.unlimited {
        policy.check(&block, report);
    }
}

impl<'a> Policy<'a> {
    fn with_defaults(kind: JobType<'_>, block: &Block<'a>) -> Self {
        let default = match kind {
            kind if kind.is_service() => Policy {
                attempts: 0,
                interval: 0,
                delay: 30 * SECOND,
                function: "exponential",
                max_delay: HOUR,
                unlimited: true,
            },
            kind if kind.is_batch() => Policy {
                attempts: 1,
                interval: 24 * HOUR,
                delay: 5 * SECOND,
                function: "constant",
                max_delay: 0,
                unlimited: false,
            },
            _ => Policy { attempts: 0, interval: 0, delay: 0, function: "", max_delay: 0, unlimited: false },
        };
        Policy {
            attempts: block.given_number("Attempts").unwrap_or(default.attempts),
            interval: block.given_number("Interval").unwrap_or(default.interval),
            delay: block.given_number("Delay").unwrap_or(default.delay),
            function: block.given_text("DelayFunction").unwrap_or(default.function),
            max_delay: block.given_number("MaxDelay").unwrap_or(default.max_delay),
            unlimited: block.given_flag("Unlimited").unwrap_or(default.unlimited),
        }
    }

    fn check(&self, block: &Block<'_>, report: &mut Report) {
        if self.attempts > 0 {
            if self.interval <= 0 {
                report.add(block.at("Interval"), "Interval must be a non zero value if Attempts > 0");
            }
            if self.unlimited {
                let message = format!(
                    "Reschedule Policy with Attempts = {}, Interval = {}, and Unlimited = {} is ambiguous",
                    self.attempts,
                    duration::display(self.interval),
                    self.unlimited
                );
                report.add(block.at("Unlimited"), message);
                report.add(block.at("Unlimited"), "If Attempts >0, Unlimited cannot also be set to true");
            }
        }
        let delays_are_sound = self.check_delays(block, report);
        if self.unlimited {
            return;
        }
        if self.interval < MIN_INTERVAL {
            let message = format!(
                "Interval cannot be less than {} (got {})",
                duration::display(MIN_INTERVAL),
                duration::display(self.interval)
            );
            report.add(block.at("Interval"), message);
        }
        if delays_are_sound {
            self.check_attempts(block, report);
        }
    }

    /// Checks the delays, and returns whether they are valid.
    fn check_delays(&self, block: &Block<'_>, report: &mut Report) -> bool {
        let (min_delay, delay) = (duration::display(MIN_DELAY), duration::display(self.delay));
        let mut sound = true;
        let mut error = |field, message: String| {
            report.add(block.at(field), message);
            sound = false;
        };
        if self.delay < MIN_DELAY {
            error("Delay", format!("Delay cannot be less than {min_delay} (got {delay})"));
        }
        if !matches!(self.function, "constant" | "exponential" | "fibonacci") {
            let message = format!(
                "Invalid delay function {}, must be one of [\"constant\" \"exponential\" \"fibonacci\"]",
                quoted(self.function)
            );
            error("DelayFunction", message);
        }
        if self.function != "constant" {
            if self.max_delay < MIN_DELAY {
                // The reference shows the delay itself here, not the longest.
                error("MaxDelay", format!("Max Delay cannot be less than {min_delay} (got {delay})"));
            }
            if self.max_delay < self.delay {
                let max_delay = duration::display(self.max_delay);
                error("MaxDelay", format!("Max Delay cannot be less than Delay {delay} (got {max_delay})"));
            }
        }
        sound
    }

    /// Checks that all attempts fit into the interval.
    fn check_attempts(&self, block: &Block<'_>, report: &mut Report) {
        let (possible, needed) = match self.function {
            "constant" => self.constant(),
            "exponential" => self.exponential(),
            _ => self.fibonacci(),
        };
        let Some(possible) = possible else { return };
        let mut message = format!(
            "Nomad can only make {} attempts in {} with initial delay {}",
            possible.max(0),
            duration::display(self.interval),
            duration::display(self.delay)
        );
        message.push_str(&match self.function {
            "constant" => format!(" and delay function {}", quoted(self.function)),
            function => {
                let ceiling = duration::display(self.max_delay);
                format!(", delay function {}, and delay ceiling {ceiling}", quoted(function))
            }
        });
        report.add(block.at("Attempts"), message);
        let message = format!(
            "Set the interval to at least {} to accommodate {} attempts",
            duration::display(duration::round_to_seconds(needed)),
            self.attempts
        );
        report.add(block.at("Interval"), message);
    }

    /// The number of attempts that fit if not all do, and the duration of all. As in the reference, numbers have 64
    /// bits and overflow.
    fn constant(&self) -> (Option<i64>, i64) {
        let needed = self.attempts.wrapping_mul(self.delay);
        ((self.interval < needed).then(|| self.interval / self.delay), needed)
    }

    fn exponential(&self) -> (Option<i64>, i64) {
        let (mut needed, mut possible) = (0_i64, 0_i64);
        for attempt in 0..self.attempts.min(64) {
            // Two to the power of 63 and above overflows to this.
            let factor = if attempt < 63 { 1 << attempt } else { i64::MIN };
            let next = self.delay.wrapping_mul(factor);
            needed = if next > self.max_delay { needed.wrapping_add(self.max_delay) } else { next };
            possible += i64::from(needed < self.interval);
        }
        // The remaining attempts have the same delay.
        possible += i64::from(needed < self.interval) * (self.attempts - 64).max(0);
        ((possible < self.attempts).then_some(possible), needed)
    }

    fn fibonacci(&self) -> (Option<i64>, i64) {
        let last = self.attempts.max(2) - 1;
        let (mut at, mut before, mut slot) = (1, self.delay, self.delay);
        let mut first_late = (slot > self.interval).then_some(0);
        while at < last.min(MAX_STEPS) && before.wrapping_add(slot) <= self.max_delay {
            (before, slot) = (slot, before.wrapping_add(slot));
            at += 1;
            first_late = first_late.or((slot > self.interval).then_some(at));
        }
        if at < last {
            // The ceiling first replaces a number, and then is added each time.
            slot = self.max_delay;
            at += 1;
            first_late = first_late.or((slot > self.interval).then_some(at));
            let steps = last - at;
            let until_late = (self.interval - slot).div_euclid(self.max_delay).saturating_add(1);
            first_late = first_late.or((until_late <= steps).then(|| at + until_late));
            slot = slot.wrapping_add(steps.wrapping_mul(self.max_delay));
        }
        ((self.interval < slot).then(|| first_late.unwrap_or_default()), slot)
    }
}
