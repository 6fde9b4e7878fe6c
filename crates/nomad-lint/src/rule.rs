//! The ids of the rules.

/// The id of a rule. Those of the reference come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A server would refuse the job.
    Job,
    /// The job lacks a part that a server adds before it validates the job.
    AddedByServer,
    /// A server would take the job, with a remark.
    Remark,
    /// A server would accept the job, but reports that a feature is going to be removed.
    Deprecated,
    /// The tasks of a service are stopped while requests may still arrive.
    ShutdownDelay,
    /// A service, check or variable refers to a port that no network has.
    Port,
    /// A word lacks its quotes.
    UnquotedWord,
    /// A driver is probably misspelled.
    Driver,
    /// A driver does not have the option, or not with a value of that type.
    DriverOption,
    /// A driver refuses the value of an option, or a combination of options.
    DriverValue,
    /// A template cannot be read when the task starts.
    Template,
    /// A name resembles a variable of running tasks.
    RuntimeName,
    /// A group has no task that stays.
    MainTask,
    /// No node satisfies the constraints.
    Constraint,
    /// Several allocations need the same port.
    StaticPort,
    /// A check connects to a port of another network.
    CheckPort,
    /// A string is not an address.
    Address,
    /// A name is too long for the system that the task runs on.
    NameLength,
    /// A mount has no effect, or fails when the task starts.
    VolumeMount,
    /// The version of Nomad lacks a part of the job.
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
