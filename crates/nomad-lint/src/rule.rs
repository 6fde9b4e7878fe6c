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
    /// A template cannot be read when the task starts.
    Template,
    /// A name resembles a variable of running tasks.
    RuntimeName,
    /// A group has no task that stays.
    MainTask,
}

impl Rule {
    /// The rules of [`lint`](crate::lint()), which the reference does not have.
    pub const LINT: [Rule; 7] = [
        Rule::Port,
        Rule::UnquotedWord,
        Rule::Driver,
        Rule::DriverOption,
        Rule::Template,
        Rule::RuntimeName,
        Rule::MainTask,
    ];
}
