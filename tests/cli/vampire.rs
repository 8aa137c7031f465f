//! `refolio vampire`

use super::TestEnvironment;

#[test]
fn the_whole_command_line_of_vampire() {
    let env = TestEnvironment::new();
    let version = env.run(&["vampire", "--version"]).success();
    assert!(version.starts_with("Vampire 5.0.0"), "{version}");
    env.write("p.p", "fof(a, axiom, p).\nfof(c, conjecture, p | q).\n");
    let output = env.run(&["vampire", "--mode", "casc", "p.p"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.stdout.contains("SZS status Theorem for p"), "{output}");
}
