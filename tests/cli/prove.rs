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
    assert_snapshot!(prove(&["-p", "∀x (Cat(x) → Animal(x))", "-p", "Cat(tom)", "-p", "Dog(rex)", "Animal(tom)"]), @r"
    exit code: 0
    ----- stdout
    True  (SZS status Theorem)

      0  ∀x (Cat(x) → Animal(x))
      1  Cat(tom)
      ∴  Animal(tom)

    Premises 0 and 1 are needed; 2 is not.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬Animal(tom).

      1. Cat(tom)      premise 1
      2. Animal(tom)   premise 0 with x = tom: Cat(tom) → Animal(tom), and 1
         contradiction of 2 with the supposition: ¬Animal(tom)

    So the conclusion holds wherever the premises do.
    ");
    assert_snapshot!(prove(&["-p", "forall x (Cat(x) -> Animal(x))", "-p", "Cat(tom)", "~Animal(tom)"]), @"
    exit code: 0
    ----- stdout
    False  (SZS status CounterTheorem)

      0  forall x (Cat(x) -> Animal(x))
      1  Cat(tom)
      ∴  ~Animal(tom)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is true: ¬Animal(tom).

      1. Cat(tom)      premise 1
      2. Animal(tom)   premise 0 with x = tom: Cat(tom) → Animal(tom), and 1
         contradiction of 2 with the supposition: ¬Animal(tom)

    So the conclusion is false wherever the premises hold.
    ");
    assert_snapshot!(prove(&["-p", "Cat(tom) ∨ Dog(tom)", "Cat(tom)"]), @r"
    exit code: 0
    ----- stdout
    Uncertain  (SZS status NoConsequence)

      0  Cat(tom) ∨ Dog(tom)
      ∴  Cat(tom)

    Two worlds

    A world in which every premise holds and the conclusion holds, and one in which every premise holds and it does not. In the first, Cat(tom); in the second, not.

    The first world, in which the conclusion holds:

           tom
      Cat  yes
      Dog  –

    The second world, in which the conclusion does not hold:

           tom
      Cat  –
      Dog  yes
    ");
    assert_snapshot!(prove(&["P ∨ ¬P"]), @r"
    exit code: 0
    ----- stdout
    True  (SZS status Theorem)

      ∴  P ∨ ¬P

    Proof

    Suppose that the premises hold and the conclusion is false: ¬(P ∨ ¬P).

      1. ¬P   the supposition: ¬(P ∨ ¬P)
         contradiction of 1 with the supposition: ¬(P ∨ ¬P)

    So the conclusion holds wherever the premises do.

    warning[P309]: `¬P` and its opposite in one chain of `∨`, which always holds
    --> argument conclusion
     |
     | P ∨ ¬P
     | -   ^^
     | |
     | its opposite
    ");
}

#[test]
fn lines_on_standard_input() {
    assert_snapshot!(piped("# cats\n∀x (Cat(x) → Animal(x))\n⊢ Animal(tom)\nCat(tom)\n", &[]), @r"
    exit code: 0
    ----- stdout
    True  (SZS status Theorem)

      0  ∀x (Cat(x) → Animal(x))
      1  Cat(tom)
      ∴  Animal(tom)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬Animal(tom).

      1. Cat(tom)      premise 1
      2. Animal(tom)   premise 0 with x = tom: Cat(tom) → Animal(tom), and 1
         contradiction of 2 with the supposition: ¬Animal(tom)

    So the conclusion holds wherever the premises do.
    ");
    assert_snapshot!(piped("P\n¬P\nQ\n", &[]), @r"
    exit code: 0
    ----- stdout
    Inconsistent  (SZS status ContradictoryAxioms)

      0  P
      1  ¬P
      ∴  Q

    Premises 0 and 1 are needed.

    Proof

    Suppose that all premises hold.

      1. P   premise 0
         contradiction of 1 with premise 1: ¬P

    So the premises contradict each other.
    ");
}

#[test]
fn consistency_alone() {
    assert_snapshot!(piped("∀x (Cat(x) → Animal(x))\nCat(tom)\n", &["--consistency"]), @r"
    exit code: 0
    ----- stdout
    Consistent  (SZS status Satisfiable)

      0  ∀x (Cat(x) → Animal(x))
      1  Cat(tom)

    A world

    A world in which every premise holds.

    The world:

              tom
      Animal  yes
      Cat     yes
    ");
    assert_snapshot!(prove(&["--consistency", "-p", "P", "-p", "¬P"]), @r"
    exit code: 0
    ----- stdout
    Inconsistent  (SZS status Unsatisfiable)

      0  P
      1  ¬P

    Premises 0 and 1 are needed.

    Proof

    Suppose that all premises hold.

      1. P   premise 0
         contradiction of 1 with premise 1: ¬P

    So the premises contradict each other.
    ");
}

#[test]
fn tptp_is_recognised() {
    let text = "% all cats\nfof(cats, axiom, ! [X] : (cat(X) => animal(X))).\ncnf(tom, hypothesis, cat(tom)).\n\
        fof(goal, conjecture, animal(tom)).\n";
    assert_snapshot!(piped(text, &[]), @r"
    exit code: 0
    ----- stdout
    True  (SZS status Theorem)

      0  cats
         ∀X (cat(X) → animal(X))
      1  tom
         cat(tom)
      ∴  goal
         animal(tom)

    Premises 0 and 1 are needed.

    Proof

    Suppose that the premises hold and the conclusion is false: ¬animal(tom).

      1. cat(tom)      premise 1
      2. animal(tom)   premise 0 with X = tom: cat(tom) → animal(tom), and 1
         contradiction of 2 with the supposition: ¬animal(tom)

    So the conclusion holds wherever the premises do.
    ");
    let env = TestEnvironment::new();
    env.write("cats.p", text);
    assert_eq!(env.run(&["prove", "--file", "cats.p"]).success(), piped(text, &["--syntax", "tptp"]).success());
    assert_snapshot!(piped("fof(a, axiom, p(X)).\n", &[]), @r"
    exit code: 3
    ----- stderr
    error: no quantifier binds `X`
     --> standard input:1:17
      |
    1 | fof(a, axiom, p(X)).
      |                 ^
    ");
    assert_snapshot!(piped("include('x.ax').\n", &[]), @r"
    exit code: 3
    ----- stderr
    error: `include` is not followed: put the statements of the file in its place
     --> standard input:1:1
      |
    1 | include('x.ax').
      | ^^^^^^^
    ");
}

#[test]
fn formulas_that_cannot_be_read() {
    assert_snapshot!(piped("∀x (Cat(x) → Animal(x)\nCat(tom)\n⊢ Animal(tom)\n", &[]), @r"
    exit code: 3
    ----- stdout
    Unparsed  (SZS status SyntaxError)

    Reason: unparsed: premise[0]

      0  ∀x (Cat(x) → Animal(x)
      1  Cat(tom)
      ∴  Animal(tom)

    error[S101]: this bracket is never closed
     --> standard input:1 premise[0]
      |
    1 | ∀x (Cat(x) → Animal(x)
      |    - opened here      ^
      |
    help: append the missing `)` (safe fix)
      |
    1 | ∀x (Cat(x) → Animal(x))
      |                       +
    ");
    assert_snapshot!(prove(&["Cat(tom"]), @r"
    exit code: 3
    ----- stdout
    Unparsed  (SZS status SyntaxError)

    Reason: unparsed: conclusion

      ∴  Cat(tom

    error[S101]: this bracket is never closed
    --> argument conclusion
     |
     | Cat(tom
     |    -   ^
     |    |
     |    opened here
     |
    help: append the missing `)` (safe fix)
     |
     | Cat(tom)
     |        +
    ");
}

#[test]
fn questions_that_are_none() {
    assert_snapshot!(piped("# nothing\n", &[]), @r"
    exit code: 3
    ----- stderr
    error: standard input: there is no formula
    ");
    assert_snapshot!(piped("⊢ P\n⊢ Q\n", &[]), @r"
    exit code: 3
    ----- stderr
    error: standard input: line 2 is marked as the conclusion, and so is line 1
    ");
    assert_snapshot!(prove(&["--syntax", "tptp", "p"]), @r"
    exit code: 2
    ----- stderr
    error: formulas given as arguments are in FOLIO's notation
    hint: put the TPTP into a file and name it with --file
    ");
    assert_snapshot!(prove(&["--file", "missing.p"]), @r"
    exit code: 3
    ----- stderr
    error: cannot read missing.p: No such file or directory (os error 2)
    ");
    let env = TestEnvironment::new();
    env.write("question", "P\n");
    assert_snapshot!(env.run(&["prove", "question"]), @r#"
    exit code: 2
    ----- stderr
    error: "question" is the name of a file, not a formula
    hint: --file reads it
    "#);
    env.write("latin1", b"Caf\xe9(a)");
    assert_snapshot!(env.run(&["prove", "--file", "latin1"]), @r"
    exit code: 3
    ----- stderr
    error: cannot read latin1: invalid utf-8 sequence of 1 bytes from index 3
    ");
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
    assert_snapshot!(tptp, @r"
    % verdict True
    % To ask again: refolio vampire THIS_FILE

    % ∀x (Cat(x) → Animal(x))
    fof(premise_0, axiom, ! [V_x] : (p1_Cat(V_x) => p1_Animal(V_x))).

    % Cat(tom)
    fof(premise_1, axiom, p1_Cat(c_tom)).

    % Animal(tom)
    fof(conclusion, conjecture, p1_Animal(c_tom)).
    ");
    let again = piped(&tptp, &[]).success();
    assert!(again.starts_with("True  (SZS status Theorem)\n") && again.contains("Animal(tom)"), "{again}");
    let proof = prove(&["-p", "P", "-p", "P → Q", "--proof", "Q"]).success();
    assert!(proof.contains("$false"), "{proof}");
}
