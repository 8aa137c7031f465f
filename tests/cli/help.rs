//! `--help` of every command.

use insta::assert_snapshot;

use super::TestEnvironment;

/// The help text without blanks at the ends of lines, which clap leaves.
fn help(arguments: &[&str]) -> String {
    let text = TestEnvironment::new().run(arguments).success();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn top() {
    assert_snapshot!(help(&["--help"]), @"
    Verifies, repairs and traces natural-language / first-order-logic datasets

    Usage: refolio [OPTIONS] <COMMAND>

    Commands:
      run          Read, parse, lint, verify, and write refined Parquet splits; flags override the
                   configuration
      merge        Put shards together that `run --shard` has written, once it is shown that they are
                   the whole
      lint         Show what the rules find in files, with the place in the formula underlined
      check        Check again what a run wrote, from its files alone: certificates, models and which
                   premises are used
      explain      Tell what the verdict on one record rests on: a proof in steps, or worlds as small
                   tables
      prove        Answer a question that is typed or piped in, and tell what the answer rests on
      rule         Explain a rule
      report       Write one page with the numbers, pictures and rows of a run
      review       Look at what is left by hand: a page on which formulas can be tried and decisions are
                   kept
      audit        Compare two versions of a dataset row by row: labels, sentences, and what formulas
                   say
      stats        Tell what a dataset is like: labels, lengths, sizes, operators, and what stands in it
                   twice
      publish      Make a dataset repository of a run's output folder, and with --push put it on the
                   Hugging Face Hub
      llm          Questions to language models as batch files, and the prompts
      config       Print the configuration in force
      synth        Write generated records with known verdicts, to measure with and to test provers and
                   parsers
      eval-repair  Measure repair on rows that agree: by errors made in them, or by wrong labels
      doctor       Tell whether everything is there that `run` needs
      cache        Look after the answers that are kept from run to run
      vampire      Run Vampire itself, with its whole command line
      help         Print this message or the help of the given subcommand(s)

    Options:
      -q, --quiet    Print no progress and no closing table; errors are still printed
      -h, --help     Print help
      -V, --version  Print version

    Exit codes:
        0  completed, whatever the verdicts
        1  completed, and a condition of --fail-on is met, `lint` found errors, `check` a verdict that
           does not hold, `prove` no verdict, or there is no --tptp or --proof to print
        2  wrong usage or configuration
        3  an input that cannot be read
        4  the prover is missing or unusable
        5  output that cannot be written, as on a full disk
        6  language models cannot be asked, or a replay lacks an answer
        7  the Hugging Face Hub refuses or cannot be reached
      130  interrupted
    ");
}

#[test]
fn run() {
    assert_snapshot!(help(&["run", "--help"]), @"
    Read, parse, lint, verify, and write refined Parquet splits; flags override the configuration

    Usage: refolio run [OPTIONS]

    Options:
          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

      -i, --input <[SPLIT=]FILE>
              A file to read, instead of `dataset.inputs`; may be given several times

      -o, --out <DIR>
              The folder for everything that is written, instead of `output.dir`

          --fixes <LEVEL>
              Which fixes to apply before the final verdict, instead of `fixes.level`

              Possible values:
              - none:   Take every text as it came
              - safe:   Those that keep the meaning or give the only sensible reading
              - search: Those, and then what closes a broken chain and passes every guard
              - agents: Those, and then what language models propose and every guard lets pass (see
                [llm] of the configuration)

          --prior <FILE>
              A dataset, such as another version of this one, whose formulas are offered as repairs
              where their sentences are the same; instead of `search.prior`

          --decisions <FILE>
              A file of decisions to apply, as `refolio review` writes them, instead of
              `review.decisions`

          --no-decisions
              Apply no decisions

      -j, --jobs <N>
              Records worked on at once, instead of `run.jobs`; 0 for one per core

          --prover-mode <MODE>
              How Vampire is run, instead of `prover.mode`; changes no answer

              Possible values:
              - workers:   In processes that are kept, each question in the same fresh state
              - processes: Started anew for each question

          --dialect <NAME>
              How columns are named and filled; `auto` recognises it

              [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

          --evidence <LEVEL>
              What verdicts have to rest on, instead of `verify.evidence`

              Possible values:
              - full:   Ground certificates and evaluated models beside what the prover says
              - prover: What the prover says

          --second-opinion <LEVEL>
              Of which contradictions E is asked too, instead of `verify.second_opinion`

              Possible values:
              - off:    Of none
              - sample: Of those without a certificate, and of one in 32 of the others
              - all:    Of all

          --csv
              Write <split>.csv in the five columns of folio-refined as well

          --no-report
              Write no report.html, however few rows there are

          --save-problems <DIR>
              Keep every question as a TPTP file in this folder, to read and rerun by hand

          --shard <I/N>
              Run only one part of N, for I from 0 to N-1, into shard-I-of-N below the output folder;
              records of one story are in one part. A part that is finished is not run again

          --force
              Run a part again and replace it, even if it is finished or of other inputs or settings

          --no-cache
              Ask every question anew and keep no answer; changes no byte of the data

          --cache <FILE>
              The file of kept answers, instead of `cache.path`

          --fail-on <OUTCOME>
              Exit with 1 if any row ends so; may be given several times

              Possible values:
              - problematic:  A row that goes to review, for whatever reason
              - conflict:     A verdict that is not the label
              - inconsistent: Premises that contradict each other
              - unparsed:     A formula without a reading, or a row that cannot be read
              - undetermined: A question the prover left open

          --replay <FILE>
              Tell the answers of this journal again instead of asking a language model; implies --fixes
              agents

          --journal <FILE>
              Where the answers of language models are recorded, instead of `llm.journal`

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}

#[test]
fn lint() {
    assert_snapshot!(help(&["lint", "--help"]), @r"
    Show what the rules find in files, with the place in the formula underlined

    Usage: refolio lint [OPTIONS] <[SPLIT=]FILE>...

    Arguments:
      <[SPLIT=]FILE>...
              The files to look at

    Options:
          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

          --select <RULES>
              Rules to apply, with commas between: codes (S101), beginnings of codes (S), or names

          --ignore <RULES>
              Rules not to apply, likewise

          --format <FORMAT>
              How to print findings

              Possible values:
              - text:   Code frames, and a summary per rule
              - json:   An array of objects
              - sarif:  SARIF 2.1.0
              - github: Workflow commands of GitHub Actions

              [default: text]

          --fix
              Apply safe fixes to the files, in place; every edit is recorded in FILE.fixes

          --unsafe-fixes
              Apply unsafe fixes as well

          --semantic
              Run the rules that need the prover as well

          --no-cache
              Ask every question anew and keep no answer; changes no byte of the data

          --cache <FILE>
              The file of kept answers, instead of `cache.path`

          --dialect <NAME>
              How columns are named and filled; `auto` recognises it

              [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}

#[test]
fn explain() {
    assert_snapshot!(help(&["explain", "--help"]), @"
    Tell what the verdict on one record rests on: a proof in steps, or worlds as small tables

    Usage: refolio explain [OPTIONS] [ID]

    Arguments:
      [ID]
              A record's id, its example id, or `FILE:ROW` with rows from 0

    Options:
          --file <FILE>
              The record's file: one of the inputs, or another one

          --row <N>
              The record's place in --file, from 0

          --line <N>
              The line of --file on which the record starts, from 1

          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

      -i, --input <[SPLIT=]FILE>
              A file to read, instead of `dataset.inputs`; may be given several times

          --fixes <LEVEL>
              Which fixes to apply before the final verdict, instead of `fixes.level`

              Possible values:
              - none:   Take every text as it came
              - safe:   Those that keep the meaning or give the only sensible reading
              - search: Those, and then what closes a broken chain and passes every guard
              - agents: Those, and then what language models propose and every guard lets pass (see
                [llm] of the configuration)

          --dialect <NAME>
              How columns are named and filled; `auto` recognises it

              [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

          --format <FORMAT>
              How to print it

              Possible values:
              - text:     For the terminal
              - markdown: For issues and reviews
              - html:     A page that needs nothing else
              - json:     For programs

              [default: text]

      -o, --output <FILE>
              Write it to this file

          --tptp
              Print the problem in TPTP instead

          --proof
              Print Vampire's derivation (TSTP) instead

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}

#[test]
fn prove() {
    assert_snapshot!(help(&["prove", "--help"]), @r"
    Answer a question that is typed or piped in, and tell what the answer rests on

    Usage: refolio prove [OPTIONS] [CONCLUSION]

    Arguments:
      [CONCLUSION]
              The formula that may follow

    Options:
      -p, --premise <FORMULA>
              A premise; may be given several times

      -f, --file <FILE>
              A file with the question; - is standard input

          --consistency
              Ask only whether the premises are consistent

          --syntax <SYNTAX>
              How a file or standard input is written, where it is not to be recognised

              Possible values:
              - folio: FOLIO's notation, a formula a line
              - tptp:  TPTP, `fof` and `cnf` statements

          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

          --format <FORMAT>
              How to print it

              Possible values:
              - text:     For the terminal
              - markdown: For issues and reviews
              - html:     A page that needs nothing else
              - json:     For programs

              [default: text]

      -o, --output <FILE>
              Write it to this file

          --tptp
              Print the problem in TPTP instead

          --proof
              Print Vampire's derivation (TSTP) instead

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')

    The premises and the conclusion are given as arguments, or as lines of a file or of standard input.
    The conclusion is the line that starts with ⊢, |-, ∴ or `therefore:`, else the last one; lines that
    start with # or % are comments. TPTP (`fof` and `cnf` statements) is recognised by itself.

      refolio prove -p '∀x (Cat(x) → Animal(x))' -p 'Cat(tom)' 'Animal(tom)'
      refolio prove --file problem.p
      printf '%s\n' 'P ∨ Q' '¬P' '⊢ Q' | refolio prove

    Exit codes: 0 for True, False, Uncertain, Consistent and Inconsistent, 1 for Undetermined, 2 for
    wrong
    usage, 3 for an input that cannot be read, a formula among it.
    ");
}

#[test]
fn rule() {
    assert_snapshot!(help(&["rule", "--help"]), @r"
    Explain a rule

    Usage: refolio rule [OPTIONS] [CODE]

    Arguments:
      [CODE]  A code such as S101, or a name such as missing-close-bracket

    Options:
          --all    Print the page of all rules, as it stands in docs/rules.md
          --list   List codes and names
      -q, --quiet  Print no progress and no closing table; errors are still printed
      -h, --help   Print help
    ");
}

#[test]
fn config() {
    assert_snapshot!(help(&["config", "--help"]), @r"
    Print the configuration in force

    Usage: refolio config [OPTIONS]

    Options:
          --config <FILE>  The configuration; by default pipeline.toml of the current folder, if there
                           is one
          --defaults       Print the defaults, with a comment on every key
      -q, --quiet          Print no progress and no closing table; errors are still printed
      -h, --help           Print help
    ");
}

#[test]
fn eval_repair() {
    assert_snapshot!(help(&["eval-repair", "--help"]), @"
    Measure repair on rows that agree: by errors made in them, or by wrong labels

    Usage: refolio eval-repair [OPTIONS]

    Options:
          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

      -i, --input <[SPLIT=]FILE>
              A file to read, instead of `dataset.inputs`; may be given several times

          --seed <S>
              Which errors are made: the same number gives the same errors everywhere

              [default: 1]

          --kinds <KINDS>
              The kinds of errors, with commas between; all by default

              [possible values: dropped-bracket, misspelt, case, inflection, quantifier, and-implies,
              or-xor, lost-negation, swapped-arguments, free-variable, packed-argument]

          --per-record <N>
              How many different errors of each kind in a record, at most

              [default: 1]

          --wrong-labels
              Give rows that agree wrong labels instead, and tell how often formulas are bent to them

          --by-rule
              Tell too how often each rule of the search was right

          --list
              Print each repair that went wrong, with its texts

          --list-missed
              Print each error that was not mended, likewise

          --format <FORMAT>
              How to print it

              Possible values:
              - text: Tables
              - json: An object

              [default: text]

      -j, --jobs <N>
              Threads, instead of `run.jobs`; 0 for one per core. Changes no byte of what is printed

          --no-cache
              Ask every question anew and keep no answer; changes no byte of the data

          --cache <FILE>
              The file of kept answers, instead of `cache.path`

          --dialect <NAME>
              How columns are named and filled; `auto` recognises it

              [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}

#[test]
fn doctor() {
    assert_snapshot!(help(&["doctor", "--help"]), @r"
    Tell whether everything is there that `run` needs

    Usage: refolio doctor [OPTIONS]

    Options:
          --config <FILE>  The configuration; by default pipeline.toml of the current folder, if there
                           is one
          --json           Print JSON
      -q, --quiet          Print no progress and no closing table; errors are still printed
      -h, --help           Print help
    ");
}

#[test]
fn version() {
    assert_eq!(help(&["--version"]), format!("refolio {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn audit() {
    assert_snapshot!(help(&["audit", "--help"]), @"
    Compare two versions of a dataset row by row: labels, sentences, and what formulas say

    Usage: refolio audit [OPTIONS] <OLD> <NEW>

    Arguments:
      <OLD>
              The old version: a file, several with commas between, a folder that `run` wrote, or a
              folder of data files

      <NEW>
              The new version, likewise; `SPLIT=` before a file or folder names its split

    Options:
          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

      -o, --out <FILE>
              Write the table of all rows to this Parquet file

          --format <FORMAT>
              How to tell it

              Possible values:
              - text:     For a terminal
              - markdown: For a changelog
              - json:     Every row, for programs
              - html:     A page that needs nothing else, with every change marked

              [default: text]

          --fail-on <CHANGE>
              Exit with 1 if anything changed so

              Possible values:
              - label-change:    A row of both has another label
              - formula-change:  A formula says something else
              - sentence-change: A sentence is another
              - order-change:    Premises stand in another order
              - split-change:    A row stands in another split
              - row-change:      A row was added or dropped

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}

#[test]
fn stats() {
    assert_snapshot!(help(&["stats", "--help"]), @"
    Tell what a dataset is like: labels, lengths, sizes, operators, and what stands in it twice

    Usage: refolio stats [OPTIONS] [[SPLIT=]FILE|DIR]...

    Arguments:
      [[SPLIT=]FILE|DIR]...
              Files, folders that `run` wrote, or folders of data files; without any, the inputs of the
              configuration

    Options:
          --config <FILE>
              The configuration; by default pipeline.toml of the current folder, if there is one

          --dialect <NAME>
              How columns are named and filled; `auto` recognises it

              [possible values: auto, folio-v0, folio-v2, folio-refined, malls, proverqa, custom]

      -o, --out <FILE>
              Write the table of what stands there twice to this Parquet file

          --format <FORMAT>
              How to tell it

              Possible values:
              - text:     For a terminal
              - markdown: For a page about the dataset
              - json:     For programs

              [default: text]

          --fail-on <WHAT>
              Exit with 1 if there is such a thing

              Possible values:
              - leakage:         A story or a record stands in two splits, with the same sentences
              - formula-leakage: A story or a record has the formulas of one in another split, up to
                renaming
              - duplicates:      A record stands there twice, with the same sentences
              - unparsed:        A formula does not parse, or a row cannot be read

      -q, --quiet
              Print no progress and no closing table; errors are still printed

      -h, --help
              Print help (see a summary with '-h')
    ");
}
