//! `refolio rule`

use insta::assert_snapshot;

use super::TestEnvironment;

#[test]
fn a_rule_is_explained_by_code_or_name() {
    let env = TestEnvironment::new();
    let by_code = env.run(&["rule", "S101"]);
    assert_snapshot!(by_code, @"");
    assert_eq!(env.run(&["rule", "s101"]).success(), by_code.stdout);
}

#[test]
fn an_unknown_rule_is_an_error_with_a_suggestion() {
    assert_snapshot!(TestEnvironment::new().run(&["rule", "S1O1"]), @"");
    assert_snapshot!(TestEnvironment::new().run(&["rule", "nonsense"]), @"");
}

#[test]
fn all_rules_are_listed() {
    let list = TestEnvironment::new().run(&["rule", "--list"]).success();
    let first: Vec<&str> = list.lines().take(3).collect();
    assert_snapshot!(first.join("\n"), @"");
    assert_eq!(list.lines().count(), refolio::lint::all().count());
}

#[test]
fn the_page_of_all_rules_is_the_one_in_the_repository() {
    let page = TestEnvironment::new().run(&["rule", "--all"]).success();
    assert!(page == include_str!("../../docs/rules.md"), "docs/rules.md is not what `refolio rule --all` prints");
}
