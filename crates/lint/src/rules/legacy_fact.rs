//! # legacy-fact
//!
//! Data, a hierarchy or code names a legacy fact. (warning)
//!
//! ## What is found
//!
//! An interpolation in `hiera.yaml` or in a data file names a legacy fact: `%{osfamily}`, `%{::fqdn}`,
//! `%{facts.ipaddress}`. Each fact is reported once per file, with all its lines. With `--puppet-version 7`, nothing is
//! found.
//!
//! In manifests and EPP templates, a legacy fact is found where `$facts` is indexed, `$facts['osfamily']`, and in the
//! top scope, `$::osfamily`. `$osfamily` is not reported: it can be a variable of the class. Plans are not checked.
//!
//! All legacy facts of Facter 4 are known, with those of interfaces, disks and processors (`ipaddress_eth0`,
//! `blockdevice_sda_size`, `processor0`). Names that are common words, `id` and `interfaces`, count only with `facts`
//! or `::` in front.
//!
//! ## Why it matters
//!
//! Agents of Puppet 8 and OpenVox 8 no longer send legacy facts. The interpolation is then silently empty: a level
//! reads `nodes/.yaml` instead of `nodes/web01.yaml`. In code, `$facts['osfamily']` is undef.
//!
//! ## How to fix it
//!
//! Use the structured fact. `hieratic check --fix` does it for you where that has the same value; the finding says
//! where it has not.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Operating system
//!     path: "os/%{::osfamily}.yaml"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Operating system
//!     path: "os/%{facts.os.family}.yaml"
//! ```
//!
//! A comment `# hieratic: ignore legacy-fact` on the same line or the line before accepts the finding.
