//! Applies the settings to the flags of each verb.

use std::path::Path;

use hieratic_diagnostics::Severity;

use crate::args::{LazyArgs, PlaceArguments};
use crate::check::{CheckArguments, FailOn, FromSettings, StyleRules};
use crate::config::Config;
use crate::config::file::SettingsError;
use crate::fleet::FleetArguments;
use crate::job::JobArguments;
use crate::puppetdb::PuppetDbArguments;
use crate::row_output::RowsArguments;
use crate::serve::ServeArguments;

use super::Verb;

/// Fills in the flags of a verb that are not given from the settings.
pub(crate) fn apply(verb: &mut Verb) -> Result<(), SettingsError> {
    match verb {
        Verb::Lookup(LazyArgs(lookup)) => {
            let config = Config::for_place(&lookup.place)?;
            fill_place(&config, &mut lookup.place);
            // A setting does not turn a lookup into one of many nodes. It only configures the PuppetDB that a flag
            // names.
            if lookup.many.puppetdb.url.is_some() {
                fill_puppetdb(&config, &mut lookup.many.puppetdb);
            }
            lookup.link = config.link();
        }
        Verb::Query(LazyArgs(query)) => {
            fill_fleet(&Config::for_place(&query.place)?, &mut query.place, &mut query.fleet)
        }
        Verb::Enc(LazyArgs(enc)) => fill_place(&Config::for_place(&enc.place)?, &mut enc.place),
        Verb::External(LazyArgs(external)) => fill_place(&Config::for_place(&external.place)?, &mut external.place),
        Verb::Compare(LazyArgs(compare)) => fill_place(&Config::for_place(&compare.place)?, &mut compare.place),
        Verb::Diff(LazyArgs(diff)) => {
            let config = Config::for_place(&diff.place)?;
            fill_fleet(&config, &mut diff.place, &mut diff.fleet);
            if diff.catalogs {
                fill_list(&mut diff.ignore.ignore, config.texts("diff.ignore"));
                fill_list(&mut diff.ignore.ignore_attr, config.texts("diff.ignore-attr"));
                fill_list(&mut diff.ignore.ignore_tags, config.texts("diff.ignore-tags"));
            }
            diff.strict_coverage |= config.is_on("diff.strict-coverage");
            diff.job_sets = config.jobs();
        }
        Verb::Affected(LazyArgs(affected)) => {
            fill_fleet(&Config::for_place(&affected.place)?, &mut affected.place, &mut affected.fleet);
        }
        Verb::Refactor(LazyArgs(refactor)) => {
            fill_fleet(&Config::for_place(&refactor.place)?, &mut refactor.place, &mut refactor.fleet);
        }
        Verb::Types(LazyArgs(types)) => {
            fill_fleet(&Config::for_place(&types.place)?, &mut types.place, &mut types.fleet)
        }
        Verb::Schema(LazyArgs(schema)) => fill_place(&Config::for_place(&schema.place)?, &mut schema.place),
        Verb::History(LazyArgs(history)) => fill_place(&Config::for_place(&history.place)?, &mut history.place),
        Verb::Eval(LazyArgs(eval)) => {
            let config = Config::for_place(&eval.place)?;
            fill_place(&config, &mut eval.place);
            fill_rows(&config, &mut eval.many);
        }
        Verb::Catalog(LazyArgs(catalog)) => {
            let config = Config::for_place(&catalog.place)?;
            fill_place(&config, &mut catalog.place);
            // A setting does not add a database to a catalog. It only configures the PuppetDB that a flag names.
            if catalog.puppetdb.url.is_some() {
                fill_puppetdb(&config, &mut catalog.puppetdb);
                if catalog.place.facts_by_settings {
                    catalog.place.facts.clear();
                }
            }
        }
        Verb::Render(LazyArgs(render)) => fill_place(&Config::for_place(&render.place)?, &mut render.place),
        Verb::Repl(LazyArgs(repl)) => fill_place(&Config::for_place(&repl.place)?, &mut repl.place),
        Verb::Job(LazyArgs(job)) => {
            let config = Config::for_environment(&job.environment_dir, job.codedir.is_some())?;
            fill_job(&config, job);
            fill_rows(&config, &mut job.many);
        }
        Verb::Serve(LazyArgs(serve)) => {
            fill_serve(&Config::for_environment(&serve.environment_dir, serve.names_environments())?, serve)
        }
        Verb::Check(LazyArgs(check)) => fill_check(&crate::check::settings(check)?, check),
        _ => {}
    }
    Ok(())
}

/// Fills in what flags did not say.
fn fill_place(config: &Config, place: &mut PlaceArguments) {
    // If a flag names a folder of environments, the setting does not select one of them.
    if place.environment_dir.is_none() && place.environment.is_none() {
        place.environment = config.text("environment");
        place.environment_by_settings = place.environment.is_some();
    }
    fill(&mut place.modulepath, config.modulepath());
    fill(&mut place.hiera_config, config.path("hiera_config"));
    fill(&mut place.puppet.puppet_version, config.puppet_version());
    fill(&mut place.strict, config.strict());
    fill_list(&mut place.datadir, config.datadirs());
    place.sensitive_secrets = config.is_on("sensitive-secrets");
    place.without_level_by_settings = place.without_level.is_empty();
    fill_list(&mut place.without_level, config.texts("without-levels"));
    if place.facts.is_empty() {
        place.facts = config.paths("facts");
        place.facts_by_settings = !place.facts.is_empty();
    }
}

/// Fills in the flags of `check` that are not given.
fn fill_check(config: &Config, check: &mut CheckArguments) {
    if check.environment_dir.is_none() {
        fill(&mut check.environment, config.text("environment"));
    }
    fill(&mut check.modulepath, config.modulepath());
    fill(&mut check.hiera_config, config.path("hiera_config"));
    fill(&mut check.puppet.puppet_version, config.puppet_version());
    fill(&mut check.strict, config.strict());
    fill_list(&mut check.datadir, config.datadirs());
    check.without_level_by_settings = check.without_level.is_empty();
    fill_list(&mut check.without_level, config.texts("without-levels"));
    check.sensitive_secrets = config.is_on("sensitive-secrets");
    fill_list(&mut check.facts, config.paths("facts"));
    fill_list(&mut check.select, config.texts("check.select"));
    fill_list(&mut check.ignore, config.texts("check.ignore"));
    if check.write_baseline.is_none() {
        fill(&mut check.baseline, config.path("check.baseline"));
    }
    check.all_nodes |= config.is_on("check.all-nodes") && check.node.is_empty();
    check.hygiene |= config.is_on("check.hygiene");
    check.unused |= config.is_on("check.unused");
    fill(
        &mut check.style,
        config.text("check.style").map(|name| match name.as_str() {
            "vox-pupuli" => StyleRules::VoxPupuli,
            _ => StyleRules::PuppetLint,
        }),
    );
    check.strict_coverage |= config.is_on("check.strict-coverage");
    fill(&mut check.nomad_version, config.nomad_version());
    let (folder, lists) = config.lists("check.per-file-ignores");
    let exclude = config.folder_of("check.exclude").unwrap_or_default();
    check.from_settings = FromSettings {
        root: config.root().map(Path::to_owned),
        exclude: config.texts("check.exclude").into_iter().map(|pattern| (exclude.clone(), pattern)).collect(),
        per_file_ignores: lists.into_iter().map(|(pattern, codes)| (folder.clone(), pattern, codes)).collect(),
        jobs: config.jobs(),
        private_levels: config.texts("check.private-levels"),
        severities: config
            .words("check.severity")
            .into_iter()
            .map(|(code, word)| match word.as_str() {
                "error" => (code, Severity::Error),
                "warning" => (code, Severity::Warning),
                _ => (code, Severity::Note),
            })
            .collect(),
    };
    fill(
        &mut check.fail_on,
        config.text("check.fail-on").map(|name| match name.as_str() {
            "note" => FailOn::Note,
            "warning" => FailOn::Warning,
            _ => FailOn::Error,
        }),
    );
}

/// Fills in the flags of `job` that are not given.
fn fill_job(config: &Config, job: &mut JobArguments) {
    fill(&mut job.nomad.nomad_version, config.nomad_version());
    job.sets = config.jobs();
    fill(&mut job.puppet.puppet_version, config.puppet_version());
    if job.environment_dir.is_none() {
        fill(&mut job.environment, config.text("environment"));
    }
    if job.facts.is_empty() {
        job.facts = config.paths("facts");
        job.facts_by_settings = !job.facts.is_empty();
    }
}

/// Fills in how to reach the PuppetDB that a flag names. A setting makes no answer one about many nodes.
fn fill_rows(config: &Config, rows: &mut RowsArguments) {
    if rows.puppetdb.url.is_some() {
        fill_puppetdb(config, &mut rows.puppetdb);
    }
}

/// Fills in the flags of `serve` that are not given.
fn fill_serve(config: &Config, serve: &mut ServeArguments) {
    serve.link = config.link();
    serve.job_sets = config.jobs();
    fill(&mut serve.puppet.puppet_version, config.puppet_version());
    if serve.environment_dir.is_none() {
        fill(&mut serve.environment, config.text("environment"));
    }
    fill(&mut serve.modulepath, config.modulepath());
    fill(&mut serve.hiera_config, config.path("hiera_config"));
    fill_list(&mut serve.datadir, config.datadirs());
    serve.without_level_by_settings = serve.without_level.is_empty();
    fill_list(&mut serve.without_level, config.texts("without-levels"));
    serve.sensitive_secrets = config.is_on("sensitive-secrets");
    if serve.facts.is_none() && serve.puppetdb.url.is_none() {
        serve.facts = config.paths("facts").into_iter().next();
    }
    if serve.facts.is_none() {
        fill_puppetdb(config, &mut serve.puppetdb);
    }
}

/// Fills in the flags of a verb about many nodes that are not given: PuppetDB supplies the facts if no file does.
fn fill_fleet(config: &Config, place: &mut PlaceArguments, fleet: &mut FleetArguments) {
    let names_puppetdb = fleet.puppetdb.url.is_some();
    fill_place(config, place);
    if (names_puppetdb || !fleet.nodes.is_empty()) && place.facts_by_settings {
        place.facts.clear();
    }
    let names_nodes = !fleet.nodes.is_empty() || !place.facts.is_empty();
    if !names_nodes && place.node.is_none() && place.fact.is_empty() || names_puppetdb {
        fill_puppetdb(config, &mut fleet.puppetdb);
    }
}

fn fill_puppetdb(config: &Config, puppetdb: &mut PuppetDbArguments) {
    fill(&mut puppetdb.url, config.text("puppetdb.url"));
    if puppetdb.url.is_some() {
        fill(&mut puppetdb.puppetdb_ca, config.path("puppetdb.ca"));
        fill(&mut puppetdb.puppetdb_cert, config.path("puppetdb.cert"));
        fill(&mut puppetdb.puppetdb_key, config.path("puppetdb.key"));
    }
}

fn fill<T>(flag: &mut Option<T>, setting: Option<T>) {
    if flag.is_none() {
        *flag = setting;
    }
}

fn fill_list<T>(flag: &mut Vec<T>, setting: Vec<T>) {
    if flag.is_empty() {
        *flag = setting;
    }
}
