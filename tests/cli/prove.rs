//! `refolio prove`

use std::io::Write as _;
use std::process::Stdio;

use insta::assert_snapshot;

use super::{CommandOutput, TestEnvironment};

fn prove(arguments: &[&str]) -> CommandOutput {
    TestEnvironment::new().run(&[&["prove"], arguments].concat())
}

fn piped(text: &str, arguments: &[&str]) -> CommandOutput {
    let env = TestEnvironment::new();
    let mut command = env.command(&[&["prove"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    CommandOutput {
        code: output.status.code(),
        stdout: env.normalise(output.stdout),
        stderr: env.normalise(output.stderr),
    }
}

#[test]
fn formulas_as_arguments() {
    assert_snapshot!(prove(&["-p", "∀x (Cat(x) → Animal(x))", "-p", "Cat(tom)", "-p", "Dog(rex)", "Animal(tom)"]), @"");
    assert_snapshot!(prove(&["-p", "forall x (Cat(x) -> Animal(x))", "-p", "Cat(tom)", "~Animal(tom)"]), @"");
    assert_snapshot!(prove(&["-p", "Cat(tom) ∨ Dog(tom)", "Cat(tom)"]), @"");
    assert_snapshot!(prove(&["P ∨ ¬P"]), @"");
}

#[test]
fn lines_on_standard_input() {
    assert_snapshot!(piped("# cats\n∀x (Cat(x) → Animal(x))\n⊢ Animal(tom)\nCat(tom)\n", &[]), @"");
    assert_snapshot!(piped("P\n¬P\nQ\n", &[]), @"");
}

#[test]
fn consistency_alone() {
    assert_snapshot!(piped("∀x (Cat(x) → Animal(x))\nCat(tom)\n", &["--consistency"]), @"");
    assert_snapshot!(prove(&["--consistency", "-p", "P", "-p", "¬P"]), @"");
}

#[test]
fn tptp_is_recognised() {
    let text = "% all cats\nfof(cats, axiom, ! [X] : (cat(X) => animal(X))).\ncnf(tom, hypothesis, cat(tom)).\n\
        fof(goal, conjecture, animal(tom)).\n";
    assert_snapshot!(piped(text, &[]), @"");
    let env = TestEnvironment::new();
    env.write("cats.p", text);
    assert_eq!(env.run(&["prove", "--file", "cats.p"]).success(), piped(text, &["--syntax", "tptp"]).success());
    assert_snapshot!(piped("fof(a, axiom, p(X)).\n", &[]), @"");
    assert_snapshot!(piped("include('x.ax').\n", &[]), @"");
}

#[test]
fn formulas_that_cannot_be_read() {
    assert_snapshot!(piped("∀x (Cat(x) → Animal(x)\nCat(tom)\n⊢ Animal(tom)\n", &[]), @"");
    assert_snapshot!(prove(&["Cat(tom"]), @"");
}

#[test]
fn questions_that_are_none() {
    assert_snapshot!(piped("# nothing\n", &[]), @"");
    assert_snapshot!(piped("⊢ P\n⊢ Q\n", &[]), @"");
    assert_snapshot!(prove(&["--syntax", "tptp", "p"]), @"");
    assert_snapshot!(prove(&["--file", "missing.p"]), @"");
    let env = TestEnvironment::new();
    env.write("question", "P\n");
    assert_snapshot!(env.run(&["prove", "question"]), @"");
    env.write("latin1", b"Caf\xe9(a)");
    assert_snapshot!(env.run(&["prove", "--file", "latin1"]), @"");
}

#[test]
fn no_verdict_is_1() {
    let env = TestEnvironment::new();
    env.write("pipeline.toml", "[verify]\nevidence = \"prover\"\n[[prover.attempts]]\nname = \"a\"\noptions = [\"-sa\", \"discount\", \"-t\", \"1\"]\ntime_limit = 0.2\n");
    let infinite =
        ["-p", "∀x ∃y (Less(x, y))", "-p", "∀x ¬Less(x, x)", "-p", "∀x ∀y ∀z (Less(x, y) ∧ Less(y, z) → Less(x, z))"];
    let output = env.run(&[&["prove"], &infinite[..], &["∀x ∀y ∀z (Less(x, y) ∨ Less(y, x) ∨ x = y)"]].concat());
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stdout.starts_with("Undetermined  (SZS status Unknown)\n"), "{output}");
}

#[test]
#[cfg(feature = "bundled-vampire")]
fn the_problem_can_be_asked_again() {
    let tptp = prove(&["-p", "∀x (Cat(x) → Animal(x))", "-p", "Cat(tom)", "--tptp", "Animal(tom)"]).success();
    assert_snapshot!(tptp, @"");
    let again = piped(&tptp, &[]).success();
    assert!(again.starts_with("True  (SZS status Theorem)\n") && again.contains("Animal(tom)"), "{again}");
    let proof = prove(&["-p", "P", "-p", "P → Q", "--proof", "Q"]).success();
    assert!(proof.contains("$false"), "{proof}");
}
