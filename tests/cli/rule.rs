//! `refolio rule`

use insta::assert_snapshot;

use super::TestEnvironment;

#[test]
fn a_rule_is_explained_by_code_or_name() {
    let env = TestEnvironment::new();
    let by_code = env.run(&["rule", "S101"]);
    assert_snapshot!(by_code, @r"
    exit code: 0
    ----- stdout
    ## S101 missing-close-bracket

    A bracket is never closed.

    Family: syntax. Severity: error. Fix: safe.

    A `(` without its `)`. The fix appends what is missing at the end of the formula, which is where annotators forget it. Where the bracket could stand elsewhere and the formula would then read differently, the edit lists those readings as alternatives.

    Found:

    ```text
    ∀x (Dog(x) → Animal(x)
    ```

    Better:

    ```text
    ∀x (Dog(x) → Animal(x))
    ```

    Found:

    ```text
    (Red(ball) ∧ Round(ball) → Toy(ball)
    ```

    Better:

    ```text
    (Red(ball) ∧ Round(ball) → Toy(ball))
    ```
    ");
    assert_eq!(env.run(&["rule", "s101"]).success(), by_code.stdout);
}

#[test]
fn an_unknown_rule_is_an_error_with_a_suggestion() {
    assert_snapshot!(TestEnvironment::new().run(&["rule", "S1O1"]), @r#"
    exit code: 2
    ----- stderr
    error: unknown rule "S1O1"; did you mean S101?
    hint: `refolio rule --list` lists them
    "#);
    assert_snapshot!(TestEnvironment::new().run(&["rule", "nonsense"]), @r#"
    exit code: 2
    ----- stderr
    error: unknown rule "nonsense"
    hint: `refolio rule --list` lists them
    "#);
}

#[test]
fn all_rules_are_listed() {
    let list = TestEnvironment::new().run(&["rule", "--list"]).success();
    let first: Vec<&str> = list.lines().take(3).collect();
    assert_snapshot!(first.join("\n"), @r"
    S101  error missing-close-bracket            a bracket is never closed
    S102  error extra-close-bracket              a bracket closes nothing
    S103  error quantifier-closed-too-early      a quantifier's bracket is closed before its variable is used again
    ");
    assert_eq!(list.lines().count(), refolio::lint::all().count());
}

#[test]
fn the_page_of_all_rules() {
    let page = TestEnvironment::new().run(&["rule", "--all"]).success();
    assert_eq!(page, refolio::lint::docs::rules_markdown());
}
