//! The ids of the rules.

/// The id of a rule. The rules of the reference are first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A server rejects the job.
    Job,
    /// The job lacks a part that a server adds before its validation.
    AddedByServer,
    /// A server accepts the job with a warning.
    Remark,
    /// A server accepts the job, but warns about a deprecated feature.
    Deprecated,
    /// The tasks of a service are stopped while requests may still arrive.
    ShutdownDelay,
    /// A service, check or variable refers to a port that no network has.
    Port,
    /// A word lacks its quotes.
    UnquotedWord,
    /// A driver is probably misspelled.
    Driver,
    /// A driver does not have the option, or requires another type of value.
    DriverOption,
    /// A driver rejects the value of an option, or a combination of options.
    DriverValue,
    /// A template is invalid, so that the task cannot start.
    Template,
    /// A name is probably a misspelled variable of running tasks.
    RuntimeName,
    /// A group has no main task.
    MainTask,
    /// No node satisfies the constraints.
    Constraint,
    /// Several allocations need the same port.
    StaticPort,
    /// A check connects to a port of another network.
    CheckPort,
    /// A string is not an address.
    Address,
    /// A name is too long for the operating system of the task.
    NameLength,
    /// A mount has no effect, or fails when the task starts.
    VolumeMount,
    /// The version of Nomad does not support a part of the job.
    Version,
}

impl Rule {
    /// The rules of [`lint`](crate::lint()), which the reference does not have.
    pub const LINT: [Rule; 15] = [
        Rule::Port,
        Rule::UnquotedWord,
        Rule::Driver,
        Rule::DriverOption,
        Rule::DriverValue,
        Rule::Template,
        Rule::RuntimeName,
        Rule::MainTask,
        Rule::Constraint,
        Rule::StaticPort,
        Rule::CheckPort,
        Rule::Address,
        Rule::NameLength,
        Rule::VolumeMount,
        Rule::Version,
    ];
}
