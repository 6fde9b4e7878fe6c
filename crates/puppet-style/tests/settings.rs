//! The rules that are on, and what `.puppet-lint.rc` changes.

use hieratic_puppet_style::{RuleSet, Settings};

#[test]
fn options_switch_rules() {
    let mut settings = Settings::new(RuleSet::PuppetLint);
    assert!(
        settings.is_enabled("140chars") && !settings.is_enabled("80chars") && !settings.is_enabled("trailing_comma")
    );
    let unknown = settings.read_options(
        "--no-140chars-check\n--80chars-check\n--trailing_comma-check\n--relative\n# a comment\n--fail-on-warnings\n--no-such-check\n--nonsense\n",
    );
    assert!(
        !settings.is_enabled("140chars") && settings.is_enabled("80chars") && settings.is_enabled("trailing_comma")
    );
    assert!(settings.relative && settings.fail_on_warnings);
    let unknown: Vec<(u32, &str)> = unknown.iter().map(|option| (option.line, option.option.as_str())).collect();
    assert_eq!(unknown, [(7, "--no-such-check"), (8, "--nonsense")]);
}

#[test]
fn only_checks_switches_all_others_off() {
    let mut settings = Settings::new(RuleSet::VoxPupuli);
    assert!(settings.read_options("--only-checks=hard_tabs,file_mode\n--no-file_mode-check").is_empty());
    assert!(settings.is_enabled("hard_tabs") && !settings.is_enabled("file_mode") && !settings.is_enabled("140chars"));
}

#[test]
fn plugins_are_on_by_their_set() {
    let [plain, all] = [RuleSet::PuppetLint, RuleSet::VoxPupuli].map(Settings::new);
    assert!(!plain.is_enabled("trailing_comma") && all.is_enabled("trailing_comma") && !all.is_enabled("80chars"));
}
