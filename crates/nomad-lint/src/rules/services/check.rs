//! Checks of services.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/check>.

use hieratic_hcl_types::quoted;

use super::service::Service;
use crate::block::{Block, FieldPath};
use crate::go::text::{large, small};
use crate::go::url;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, SECOND};

/// The shortest interval and the shortest time to wait.
const MIN_TIME: i64 = SECOND;

/// The maximum length of the notes of a check, in bytes.
const MAX_NOTES: usize = 255;

/// A check with its defaults.
pub(super) struct Check<'a> {
    pub(super) block: &'a Block<'a>,
    service: &'a str,
    /// The task that it runs in.
    pub(super) task: &'a str,
    on_update: &'a str,
    restart: Option<CheckRestart<'a>>,
}

/// The restart policy of a failing check: the settings of the check override those of the service.
struct CheckRestart<'a> {
    of_service: Block<'a>,
    of_check: Block<'a>,
    limit: i64,
    grace: i64,
    ignore_warnings: bool,
}

/// The error in a check: only the first is reported.
enum CheckError<'a> {
    One(FieldPath<'a>, String),
    Restart,
}

type CheckResult<'a> = Result<(), CheckError<'a>>;

fn fault<'a>(field: FieldPath<'a>, message: impl Into<String>) -> CheckResult<'a> {
    Err(CheckError::One(field, message.into()))
}

impl<'a> Check<'a> {
    /// The check of a service.
    pub(super) fn new(service: &'a Service, owner: &'a Block<'a>, block: &'a Block<'a>, of_group: bool) -> Self {
        // A check of a task's service belongs to that task, regardless of its `task`.
        let task = match block.text("TaskName") {
            own if of_group && !own.is_empty() => own,
            _ if service.task == "group" => "",
            _ => &service.task,
        };
        let on_update = [block, owner].iter().find_map(|block| block.filled_text("OnUpdate"));
        Self {
            block,
            service: &service.name,
            task,
            on_update: on_update.unwrap_or("require_healthy"),
            restart: CheckRestart::merge(owner.block("CheckRestart"), block.block("CheckRestart")),
        }
    }

    /// Its name, or one that is derived from the service.
    pub(super) fn name(&self) -> String {
        match self.block.text("Name") {
            "" => format!("service: {} check", quoted(self.service)),
            name => name.to_owned(),
        }
    }

    /// Returns whether the check connects to a port.
    pub(super) fn requires_port(&self) -> bool {
        matches!(self.block.text("Type"), "grpc" | "http" | "tcp")
    }

    /// Returns whether both the check and its service lack a port.
    pub(super) fn lacks_port(&self, service: &Block<'_>) -> bool {
        self.requires_port() && self.block.text("PortLabel").is_empty() && service.text("PortLabel").is_empty()
    }

    /// Applies the rules for checks that Consul runs.
    pub(super) fn check_in_consul(&self, report: &mut Report) {
        let prefix = || format!("Check {} invalid: ", self.name());
        match self.common(&["grpc", "tcp", "http", "script"]).and_then(|()| self.in_consul()) {
            Ok(()) => {}
            Err(CheckError::One(field, message)) => report.add(field, prefix() + &message),
            Err(CheckError::Restart) => {
                report.list(prefix, |report| self.check_restart(report));
            }
        }
    }

    /// Applies the rules for checks that Nomad runs.
    pub(super) fn check_in_nomad(&self, report: &mut Report) {
        match self.common(&["tcp", "http"]).and_then(|()| self.in_nomad()) {
            Ok(()) => {}
            Err(CheckError::One(field, message)) => report.add(field, message),
            Err(CheckError::Restart) => report.bare_list(|report| self.check_restart(report)),
        }
    }

    fn common(&self, types: &[&str]) -> CheckResult<'_> {
        let block = self.block;
        let kind = small(block.text("Type"));
        if !types.contains(&&*kind) {
            let known = types.join(", ");
            return fault(block.at("Type"), format!("invalid check type ({}), must be one of {known}", quoted(&kind)));
        }
        match &*kind {
            "http" => match (block.text("Path"), url::has_scheme(block.text("Path"))) {
                ("", _) => return fault(block.at("Path"), "http type must have http path"),
                (_, None) => return fault(block.at("Path"), "http type must have valid http path"),
                (_, Some(true)) => return fault(block.at("Path"), "http type must have relative http path"),
                (_, Some(false)) => {}
            },
            "script" if block.text("Command").is_empty() => {
                return fault(block.at("Command"), "script type must have a valid script path");
            }
            _ => {}
        }
        self.times()?;
        match block.text("InitialStatus") {
            "" | "passing" | "warning" | "critical" => {}
            other => {
                let message = format!(
                    "invalid initial check state ({other}), must be one of \"passing\", \"warning\", \"critical\" or empty"
                );
                return fault(block.at("InitialStatus"), message);
            }
        }
        match block.text("AddressMode") {
            "" | "host" | "driver" | "alloc" | "alloc_ipv6" => {}
            "auto" => {
                let message = "invalid address_mode \"auto\" - auto only valid for services";
                return fault(block.at("AddressMode"), message);
            }
            other => return fault(block.at("AddressMode"), format!("invalid address_mode {}", quoted(other))),
        }
        self.updates()?;
        match &self.restart {
            Some(restart) if restart.limit < 0 || restart.grace < 0 => Err(CheckError::Restart),
            _ => Ok(()),
        }
    }

    fn times(&self) -> CheckResult<'_> {
        let least = duration::display(MIN_TIME);
        let missing = |subject, name| format!("missing required value {subject}. {name} cannot be less than {least}");
        match self.block.number("Interval") {
            0 => return fault(self.block.at("Interval"), missing("interval", "Interval")),
            MIN_TIME.. => {}
            time => {
                let message = format!("interval ({}) cannot be lower than {least}", duration::display(time));
                return fault(self.block.at("Interval"), message);
            }
        }
        match self.block.number("Timeout") {
            0 => fault(self.block.at("Timeout"), missing("timeout", "Timeout")),
            MIN_TIME.. => Ok(()),
            time => {
                let message =
                    format!("timeout ({}) is lower than required minimum timeout {least}", duration::display(time));
                fault(self.block.at("Timeout"), message)
            }
        }
    }

    /// Checks the effect on updates, and its combination with restarts.
    fn updates(&self) -> CheckResult<'_> {
        let field = self.block.at("OnUpdate");
        let shown = || quoted(self.on_update);
        if !matches!(self.on_update, "require_healthy" | "ignore_warnings" | "ignore") {
            let message =
                format!("on_update must be \"require_healthy\", \"ignore_warnings\", or \"ignore\"; got {}", shown());
            return fault(field, message);
        }
        match (&self.restart, self.on_update) {
            (Some(_), "ignore") => {
                fault(field, format!("on_update value {} is not compatible with check_restart", shown()))
            }
            (Some(restart), "ignore_warnings") if !restart.ignore_warnings => {
                let message = format!(
                    "on_update value {} not supported with check_restart ignore_warnings value \"false\"",
                    shown()
                );
                fault(field, message)
            }
            _ => Ok(()),
        }
    }

    fn in_consul(&self) -> CheckResult<'_> {
        let block = self.block;
        let kind = block.text("Type");
        if block.flag("Expose") && !matches!(&*small(kind), "grpc" | "http") {
            return fault(block.at("Expose"), "expose may only be set on HTTP or gRPC checks");
        }
        for (field, name) in THRESHOLDS {
            // Negative numbers count as zero.
            if block.number(field) > 0 && !matches!(kind, "tcp" | "http" | "grpc") {
                return fault(block.at(field), format!("{name} not supported for check of type {}", quoted(kind)));
            }
        }
        if block.text("Notes").len() > MAX_NOTES {
            return fault(block.at("Notes"), format!("notes must not be longer than {MAX_NOTES} characters"));
        }
        Ok(())
    }

    fn in_nomad(&self) -> CheckResult<'_> {
        let block = self.block;
        if block.flag("Expose") {
            return fault(block.at("Expose"), "expose may only be set for Consul service checks");
        }
        if self.on_update == "ignore_warnings" {
            let message = "on_update may only be set to ignore_warnings for Consul service checks";
            return fault(block.at("OnUpdate"), message);
        }
        if let Some(restart) = self.restart.as_ref().filter(|restart| restart.ignore_warnings) {
            let message = "ignore_warnings on check_restart only supported for Consul service checks";
            return fault(restart.field("IgnoreWarnings"), message);
        }
        if block.text("AddressMode") == "driver" {
            return fault(block.at("AddressMode"), "address_mode = driver may only be set for Consul service checks");
        }
        let method = block.text("Method");
        if block.text("Type") == "http" && !method.is_empty() && !METHODS.contains(&&*large(method)) {
            return fault(
                block.at("Method"),
                format!("method type {} not supported in Nomad http check", quoted(method)),
            );
        }
        for (field, name) in THRESHOLDS {
            if block.number(field) > 0 {
                return fault(block.at(field), format!("{name} may only be set for Consul service checks"));
            }
        }
        if !block.text("TLSServerName").is_empty() {
            return fault(block.at("TLSServerName"), "tls_server_name may only be set for Consul service checks");
        }
        Ok(())
    }

    fn check_restart(&self, report: &mut Report) {
        let Some(restart) = &self.restart else { return };
        if restart.limit < 0 {
            let message = format!("limit must be greater than or equal to 0 but found {}", restart.limit);
            report.add(restart.field("Limit"), message);
        }
        if restart.grace < 0 {
            let message = format!("grace period must be greater than or equal to 0 but found {}", restart.grace);
            report.add(restart.field("Grace"), message);
        }
    }
}

/// The numbers of consecutive equal results that change the status of a check.
const THRESHOLDS: [(&str, &str); 3] = [
    ("SuccessBeforePassing", "success_before_passing"),
    ("FailuresBeforeCritical", "failures_before_critical"),
    ("FailuresBeforeWarning", "failures_before_warning"),
];

/// The methods of HTTP checks.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"];

impl<'a> CheckRestart<'a> {
    fn merge(of_service: Block<'a>, of_check: Block<'a>) -> Option<Self> {
        if !of_service.is_written() && !of_check.is_written() {
            return None;
        }
        // Limits that are not positive, and unset flags, do not override the service.
        let limit = match of_check.number("Limit") {
            limit if limit > 0 || !of_service.is_written() => limit,
            _ => of_service.number("Limit"),
        };
        let grace = of_check.given_number("Grace").or_else(|| of_service.given_number("Grace")).unwrap_or(SECOND);
        let ignore_warnings = of_check.flag("IgnoreWarnings") || of_service.flag("IgnoreWarnings");
        Some(Self { of_service, of_check, limit, grace, ignore_warnings })
    }

    fn field(&self, field: &'static str) -> FieldPath<'_> {
        if self.of_check.has(field) { self.of_check.at(field) } else { self.of_service.at(field) }
    }
}
