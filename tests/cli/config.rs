//! `refolio config`, and what is said of a configuration that is wrong.

use insta::assert_snapshot;

use super::TestEnvironment;

#[test]
fn what_is_in_force_without_a_file() {
    assert_snapshot!(TestEnvironment::new().run(&["config"]), @r#"
    exit code: 0
    ----- stdout
    [dataset]
    inputs = []
    dialect = "auto"

    [dataset.columns]

    [ingest]
    on_error = "keep"

    [parse]
    quantifier_scope = "tight"
    free_variables = "constant"

    [lint]
    select = []
    ignore = []
    semantic = true

    [fixes]
    level = "search"

    [search]
    max_candidates = 600
    max_edits = 4
    margin = 0.5
    prior = ""

    [llm]
    base_url = "http://127.0.0.1:8080/v1"
    model = ""
    api_key_env = ""
    temperature = 0.0
    seed = 0
    max_tokens = 4096
    tokens_field = "max_tokens"
    structured = "json-schema"
    concurrency = 8
    requests_per_minute = 0
    tokens_per_minute = 0
    retries = 5
    backoff = 1.0
    longest_wait = 120.0
    connect_timeout = 10.0
    read_timeout = 120.0
    total_timeout = 300.0
    replay = ""
    journal = ""

    [llm.budget]
    max_calls = 0
    max_tokens = 0
    max_cost = 0.0

    [llm.prices]
    prompt_per_million = 0.0
    completion_per_million = 0.0

    [refine]
    iterations = 3
    syntax_rounds = 2
    show_label = false
    review_label = true
    formalise = false
    samples = 3
    back_translate = false

    [refine.prompts]

    [prover]
    path = ""
    mode = "workers"
    memory_mb = 2048
    retries_after_crash = 1

    [[prover.attempts]]
    name = "saturation"
    options = []
    time_limit = 2.0

    [[prover.attempts]]
    name = "models"
    options = [
        "-sa",
        "fmb",
        "-updr",
        "off",
    ]
    time_limit = 10.0

    [[prover.attempts]]
    name = "portfolio"
    options = [
        "--mode",
        "casc",
        "--cores",
        "1",
        "--randomize_seed_for_portfolio_workers",
        "off",
    ]
    time_limit = 20.0

    [[prover.attempts]]
    name = "portfolio-models"
    options = [
        "--mode",
        "casc",
        "--cores",
        "1",
        "--randomize_seed_for_portfolio_workers",
        "off",
        "--intent",
        "sat",
    ]
    time_limit = 20.0

    [cache]
    enabled = true
    path = ""
    max_mb = 1024

    [verify]
    unique_names = false
    evidence = "full"
    second_opinion = "off"
    second_prover = ""

    [review]
    decisions = ""
    apply = true

    [output]
    dir = "out"
    csv = false
    timings = true
    proofs = true
    report_rows = 20000

    [publish]
    repo = ""
    private = true
    pretty_name = ""
    license = "cc-by-sa-4.0"
    allow_other_license = false
    languages = ["en"]
    tags = []
    citation = """
    @article{han2022folio,
      title = {{FOLIO}: Natural Language Reasoning with First-Order Logic},
      author = {Han, Simeng and others},
      journal = {arXiv preprint arXiv:2209.00840},
      year = {2022}
    }
    """
    shard_mb = 500

    [run]
    jobs = 0
    "#);
}

#[test]
fn the_defaults_are_the_file_of_the_repository() {
    let env = TestEnvironment::new();
    let defaults = env.run(&["config", "--defaults"]).success();
    assert_eq!(defaults, include_str!("../../pipeline.toml"));
    // And it is a configuration.
    env.write("pipeline.toml", &defaults);
    let printed = env.run(&["config"]).success();
    env.write("pipeline.toml", &printed);
    assert_eq!(env.run(&["config"]).success(), printed);
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    let env = TestEnvironment::new();
    let error = |text: &str| {
        env.write("pipeline.toml", text);
        env.run(&["config"]).to_string()
    };
    assert_snapshot!(error("# mine\n[prover]\nmemory = 512\n"), @"
    exit code: 2
    ----- stderr
    error: unknown key `memory`, expected one of `path`, `mode`, `memory_mb`, `retries_after_crash`, `attempts`
     --> pipeline.toml:3:1
      |
    3 | memory = 512
      | ^^^^^^
    hint: did you mean `memory_mb`? `refolio config --defaults` prints every key with what it does
    ");
    assert_snapshot!(error("[fixes]\nlevel = \"all\"\n"), @r#"
    exit code: 2
    ----- stderr
    error: unknown value `all`, expected one of `none`, `safe`, `search`, `agents`
     --> pipeline.toml:2:9
      |
    2 | level = "all"
      |         ^^^^^
    hint: `refolio config --defaults` prints every key with what it does
    "#);
    assert_snapshot!(error("[run]\njobs = \"four\"\n"), @r#"
    exit code: 2
    ----- stderr
    error: wrong kind of value: string "four", expected a whole number
     --> pipeline.toml:2:8
      |
    2 | jobs = "four"
      |        ^^^^^^
    hint: `refolio config --defaults` prints every key with what it does
    "#);
    assert_snapshot!(error("[run\n"), @r"
    exit code: 2
    ----- stderr
    error: unclosed table, expected `]`
     --> pipeline.toml:1:5
      |
    1 | [run
      |     ^
    hint: `refolio config --defaults` prints every key with what it does
    ");
    assert_snapshot!(error("[dataset]\ndialect = \"folio\"\n"), @r#"
    exit code: 2
    ----- stderr
    error: dataset.dialect: unknown dialect "folio"; known are folio-v0, folio-v2, folio-refined, malls, proverqa, custom
    "#);
    assert_snapshot!(error("[lint]\nignore = [\"S1O1\"]\n"), @r#"
    exit code: 2
    ----- stderr
    error: lint: unknown rule selector "S1O1"; did you mean "S101"?
    "#);
    assert_snapshot!(error("[prover]\nmemory_mb = 1\n"), @r"
    exit code: 2
    ----- stderr
    error: prover.memory_mb: 1 is out of range; expected 16 or more mebibytes
    ");
}

#[test]
fn a_named_file_must_be_there() {
    assert_snapshot!(TestEnvironment::new().run(&["config", "--config", "mine.toml"]), @r"
    exit code: 2
    ----- stderr
    error: cannot read the configuration mine.toml: No such file or directory (os error 2)
    ");
}
