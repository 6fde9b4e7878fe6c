//! The ids of the rules.

/// The rule that a finding is an instance of. Those of the reference come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A server would refuse the job.
    Job,
    /// The job lacks something that a server adds before it judges the job.
    AddedByServer,
    /// A server would take the job, with a remark.
    Remark,
    /// A server would accept the job, but reports that a feature is going to be removed.
    Deprecated,
    /// Tasks of services are stopped while requests may still come in.
    ShutdownDelay,
    /// Something names a port that no network has.
    Port,
    /// A word lacks its quotes.
    UnquotedWord,
    /// A driver is probably misspelled.
    Driver,
    /// A driver does not have an option, or not with such a value.
    DriverOption,
    /// A template cannot be read when the task starts.
    Template,
    /// A name resembles one that tasks have when they run.
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
