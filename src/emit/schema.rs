//! The columns of a refined split, defined once.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};

/// Version of the columns' names, types and meanings; rises with every change that a reader could notice.
pub const SCHEMA_VERSION: u32 = 4;

/// The key under which a field's metadata holds its description.
pub const DESCRIPTION: &str = "description";

const REQUIRED: bool = false;
const NULLABLE: bool = true;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| Arc::new(Schema::new(fields())));

/// The schema of every `<split>.parquet`. Each field carries its description as metadata.
#[must_use]
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

fn field(name: &str, kind: DataType, nullable: bool, description: &str) -> Field {
    Field::new(name, kind, nullable).with_metadata([(DESCRIPTION, description)])
}

fn utf8(name: &str, description: &str) -> Field {
    field(name, DataType::Utf8, REQUIRED, description)
}

fn utf8_or_null(name: &str, description: &str) -> Field {
    field(name, DataType::Utf8, NULLABLE, description)
}

fn int32(name: &str, description: &str) -> Field {
    field(name, DataType::Int32, REQUIRED, description)
}

/// A list type whose elements are never null. `element` is the name that the Parquet format asks for.
pub(crate) fn list_of(element: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("element", element, REQUIRED)))
}

fn texts(name: &str, description: &str) -> Field {
    field(name, list_of(DataType::Utf8), REQUIRED, description)
}

fn structs(name: &str, fields: Fields, description: &str) -> Field {
    field(name, list_of(DataType::Struct(fields)), REQUIRED, description)
}

/// The fields of one element of `edits`.
pub(crate) fn edit_fields() -> Fields {
    Fields::from(vec![
        utf8("target", "The text that was changed: `premise[0]`, `conclusion`."),
        utf8("before", "The whole text before."),
        utf8("after", "The whole text after."),
        utf8(
            "rule",
            "The code of the rule that asked for it, or the name of the kind of repair (see `docs/repair.md`).",
        ),
        utf8(
            "kind",
            "`normalise` (another spelling of the same formula), `fix` (a formula is given or changed), `search` (found by \
             searching for what closes a broken chain, and let pass by every guard), `prior` (likewise, the formula of another \
             version that was offered), `llm` (likewise, written by a language model) or `human` (decided by a person).",
        ),
        int32("iteration", "The round in which it was made, from 0."),
        texts("alternatives", "Whole texts that were possible instead and mean something else."),
        utf8_or_null(
            "asked_by",
            "The `record_id` of the record of the story for whose sake a shared premise was changed; null if it is this one.",
        ),
        utf8("why", "Why this is what the sentence says, in words; empty where the rule says it all."),
    ])
}

/// The fields of one element of `diagnostics`.
pub(crate) fn diagnostic_fields() -> Fields {
    Fields::from(vec![
        utf8("code", "The rule's code, such as `S101`."),
        utf8("severity", "`info`, `warning` or `error`; with an error the annotation has no reading."),
        utf8(
            "target",
            "The part of the row: `premise[0]`, `conclusion`, `premise_sentence[0]`, `conclusion_sentence`, `row`.",
        ),
        int32("start", "First byte of the finding in the original text of the target (UTF-8)."),
        int32("end", "One past its last byte."),
        utf8("message", "What was found."),
        utf8_or_null("hint", "What the reader could do or should know; null if there is nothing to add."),
        utf8_or_null("fix_applicability", "`safe`, `unsafe` or `display-only`; null if there is no fix."),
        utf8_or_null(
            "fix_after",
            "The whole text of the target after the fix alone; null if there is no fix, or if with it these texts of the row \
             would be larger than 1 MiB together.",
        ),
    ])
}

/// The fields of one element of `presuppositions`.
pub(crate) fn presupposition_fields() -> Fields {
    Fields::from(vec![
        utf8("target", "The sentence that takes it for granted: `premise_sentence[0]`, `conclusion_sentence`."),
        utf8("formula", "What it takes for granted, as a formula."),
        utf8_or_null("sentence", "The same as a sentence, where one was written."),
    ])
}

/// The fields of one element of `proposals`.
pub(crate) fn proposal_fields() -> Fields {
    Fields::from(vec![
        utf8("rung", "The rung of the ladder that made it: `search`, `refiner` or `formaliser`."),
        field("cost", DataType::Float64, REQUIRED, "How far it is from the text as it stood; smaller is nearer."),
        utf8("outcome", "`accepted`, `refused` or `ambiguous`."),
        utf8_or_null("reason", "The guard that refused it, `unconfirmed` or `ambiguous`; null if it was accepted."),
        utf8("edits", "JSON: its edits, each with `target`, `before`, `after`, `rule` and `why`."),
    ])
}

/// The fields of one element of `symbols`.
pub(crate) fn symbol_fields() -> Fields {
    Fields::from(vec![
        utf8("name", "The author's name for it."),
        utf8("kind", "`predicate`, `function`, `constant` or `free`."),
        int32("arity", "How many arguments it takes."),
        texts("used_in", "The annotations that use it: `premise[0]`, `conclusion`."),
        utf8_or_null("gloss", "Words of a sentence that say what it stands for; null where no sentence has its words."),
    ])
}

fn fields() -> Vec<Field> {
    let mut fields = identity();
    fields.extend(content());
    fields.extend(verdicts());
    fields.extend(history());
    fields
}

fn identity() -> Vec<Field> {
    vec![
        utf8("record_id", "Unique within a run: the example id where the dataset has one, else made from the content."),
        utf8("split", "The name of the split: `train`, `validation`, …"),
        utf8_or_null("story_id", "The dataset's own id of the story, as it came; null if it has none."),
        utf8_or_null("example_id", "The dataset's own id of the row, as it came; null if it has none."),
        utf8("source_file", "Name of the file the row came from, without its folder."),
        field("source_row", DataType::Int64, REQUIRED, "0-based position of the row in that file."),
        utf8("source_sha256", "SHA-256 of that file as it lay on disk, in lower-case hexadecimal."),
    ]
}

fn content() -> Vec<Field> {
    vec![
        texts("premises", "Sentences of the premises, as they came; empty for a row that could not be read."),
        texts("premises_fol", "Formulas of the premises as they leave: in the order of the original, edits applied."),
        utf8_or_null("conclusion", "Sentence of the conclusion, as it came; null for a row that could not be read."),
        utf8_or_null("conclusion_fol", "Formula of the conclusion as it leaves; null if there is none."),
        utf8_or_null(
            "label",
            "`True`, `False` or `Uncertain`: the label that came, or the one that a person gave; null if there is no label or it \
             cannot be read.",
        ),
        texts(
            "premises_fol_original",
            "Formulas of the premises as they came; always filled. Items of a list are kept byte for byte. The lines of a \
             joined block are trimmed, and its blank lines are not kept; nor are blank formulas behind that of the last \
             sentence, which R101 counts.",
        ),
        utf8_or_null("conclusion_fol_original", "Formula of the conclusion as it came; null only if none came."),
        utf8_or_null("label_original", "The label's text as it came, `Unknown` included; null only if none came."),
    ]
}

fn verdicts() -> Vec<Field> {
    vec![
        utf8(
            "status",
            "What became of the row: `verified` (agreed as it came), `repaired` (agrees since recorded edits), `relabelled` \
             (by a recorded human decision), `problematic` (goes to review) or `unjudged` (no label, or no \
             formula of the conclusion or of any premise).",
        ),
        utf8(
            "verdict",
            "What logic makes of the row as it leaves: `True`, `False` or `Uncertain` where proved, else `Unformalised`, \
             `Unparsed`, `Inconsistent` or `Undetermined`.",
        ),
        utf8(
            "agreement",
            "That verdict against the label: `agree`, `conflict`, `inconsistent`, `undetermined`, `unparsed`, `unformalised` \
             or `unlabelled`.",
        ),
        utf8("verdict_original", "The verdict on the row as it came, strictly read."),
        utf8("agreement_original", "That verdict against the label."),
        utf8_or_null(
            "verdict_reason",
            "Why there is no better verdict, or why the row is problematic: a kebab-case word, then details after a colon; \
             null if there is nothing to explain.",
        ),
        utf8_or_null("szs_consistency", "SZS status of the premises alone; null if it was not asked."),
        utf8_or_null("szs_entails", "SZS status of premises ⊢ conclusion; null if it was not asked."),
        utf8_or_null("szs_refutes", "SZS status of premises ⊢ ¬conclusion; null if it was not asked."),
        field(
            "used_premises",
            list_of(DataType::Int32),
            NULLABLE,
            "0-based premises that the contradiction behind the verdict needs; null if there is none, empty if it needs no \
             premise.",
        ),
        utf8_or_null(
            "models",
            "JSON text of the finite models behind the verdict, by question (`consistency`, `entails`: of premises and negated \
             conclusion, `refutes`: of premises and conclusion), in which every formula was evaluated as it was read; null \
             if there is none. See `docs/evidence.md`.",
        ),
        utf8_or_null(
            "evidence",
            "What the verdict rests on: `certificate`, `models`, `confirmed-proof`, `proof` or `saturation`, from the strongest \
             to the weakest; null where logic gave none.",
        ),
        utf8_or_null(
            "proof_ref",
            "Key into `evidence.parquet`, where the proof is; null if the verdict rests on no proof.",
        ),
        texts(
            "signals",
            "What is worth knowing of the verdict: `verdict-needs-identified-names` (two names of the author's must be one \
             individual's).",
        ),
    ]
}

fn history() -> Vec<Field> {
    vec![
        structs("edits", edit_fields(), "Every change of a text, in the order made."),
        structs(
            "diagnostics",
            diagnostic_fields(),
            "What was found in the row as it came: of more than 1000 findings the gravest 1000, and then `R207` with the number \
             of those left out; last, what holds of all records of its story (`L504`).",
        ),
        structs(
            "proposals",
            proposal_fields(),
            "Repairs that would give the label and were put before the guards, accepted or not; 16 at most.",
        ),
        utf8_or_null(
            "proposed_label",
            "The label that logic proves where it contradicts the row's, for a person to accept; null everywhere else.",
        ),
        utf8_or_null(
            "decision",
            "What people decided about the row: `accept`, `relabel`, `ambiguous` (a sentence has several readings) or `reject`; \
             `refused` where the row has changed since, and `disagreement` where reviewers did not say the same: then \
             nothing was applied; null where nobody decided.",
        ),
        texts("decided_by", "Who decided, in order of their names."),
        utf8_or_null(
            "decision_comment",
            "Their words; of a decision that is refused, why, and of a disagreement, who said what; null if there are none.",
        ),
        int32("iterations", "Rounds of repair that were run."),
        field(
            "review_score",
            DataType::Float64,
            NULLABLE,
            "How much a person should look at the row, from 0 (not at all) to 1; null if nothing scored it.",
        ),
        utf8_or_null(
            "review_reason",
            "Why a person should look at it: a kebab-case word, then details after a colon; null if there is no reason.",
        ),
        utf8_or_null(
            "critique",
            "JSON: what logic has to say of a row whose verdict is not its label, see `docs/repair.md`; of a row that \
             agrees only what another place of a mended bracket would give, if there is one; and of a row about which a language \
             model was asked what was said, under `agents`, see `docs/agents.md`; else null.",
        ),
        utf8_or_null("llm_model", "The language model that took part; null where none did."),
        utf8_or_null("prompt_version", "Version of the prompts it was given; null where none took part."),
        structs(
            "presuppositions",
            presupposition_fields(),
            "What sentences take for granted and no formula states: proposed, never added to the premises.",
        ),
        structs("symbols", symbol_fields(), "The symbols of the row's formulas as they leave."),
        field(
            "source_raw",
            DataType::Binary,
            NULLABLE,
            "The bytes of a row that could not be read, as they came; null for every other row.",
        ),
    ]
}

/// A column's type in words: `utf8`, `list<int32>`, `list<struct<target: utf8, …>>`; `?` marks what can be null.
#[must_use]
pub fn type_name(kind: &DataType) -> String {
    match kind {
        DataType::List(element) => format!("list<{}{}>", type_name(element.data_type()), mark(element)),
        DataType::Struct(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|f| format!("{}: {}{}", f.name(), type_name(f.data_type()), mark(f))).collect();
            format!("struct<{}>", fields.join(", "))
        }
        other => other.to_string().to_lowercase(),
    }
}

fn mark(field: &Field) -> &'static str {
    if field.is_nullable() { "?" } else { "" }
}

/// The table of `docs/columns.md`: a line for each column and, below a list of structs, one for each of its fields.
#[must_use]
pub fn columns_table() -> String {
    let mut out = String::from("| column | type | null | what it holds |\n| :-- | :-- | :-- | :-- |\n");
    for field in schema().fields() {
        line(&mut out, "", field);
        if let DataType::List(element) = field.data_type()
            && let DataType::Struct(inner) = element.data_type()
        {
            for field in inner {
                line(&mut out, "↳ ", field);
            }
        }
    }
    out
}

fn line(out: &mut String, indent: &str, field: &Field) {
    let kind = match field.data_type() {
        DataType::List(element) if matches!(element.data_type(), DataType::Struct(_)) => "list<struct>".to_owned(),
        other => type_name(other),
    };
    let null = if field.is_nullable() { "yes" } else { "no" };
    let text = field.metadata().get(DESCRIPTION).map_or("", String::as_str);
    let _ = writeln!(out, "| {indent}`{}` | `{kind}` | {null} | {text} |", field.name());
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str = "<!-- columns: written by `columns_table` in src/emit/schema.rs -->\n";
    const END: &str = "<!-- columns end -->";

    /// `REFOLIO_UPDATE_DOCS=1` writes the table into the page instead of comparing it.
    #[test]
    fn the_page_about_columns_is_the_schema() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/columns.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (head, rest) = page.split_once(BEGIN).unwrap();
        let (table, tail) = rest.split_once(END).unwrap();
        if std::env::var_os("REFOLIO_UPDATE_DOCS").is_some() {
            std::fs::write(path, format!("{head}{BEGIN}{}{END}{tail}", columns_table())).unwrap();
        } else {
            assert_eq!(table, columns_table(), "run this test once with REFOLIO_UPDATE_DOCS=1");
        }
        assert!(page.contains(&format!("schema version {SCHEMA_VERSION}")), "the page names another schema version");
    }

    #[test]
    fn every_field_is_described_in_one_line() {
        fn check(field: &Field, path: &str) -> usize {
            let path = format!("{path}.{}", field.name());
            let text = field.metadata().get(DESCRIPTION).unwrap_or_else(|| panic!("{path} has no description"));
            assert!(text.len() > 10 && !text.contains(['|', '\n']), "{path}: {text:?}");
            assert!(!text.contains("  "), "{path}: {text:?}");
            let DataType::List(element) = field.data_type() else { return 1 };
            let DataType::Struct(inner) = element.data_type() else { return 1 };
            1 + inner.iter().map(|f| check(f, &path)).sum::<usize>()
        }
        let all: usize = schema().fields().iter().map(|f| check(f, "")).sum();
        assert_eq!(all, columns_table().lines().count() - 2);
    }

    #[test]
    fn types_are_named_in_words() {
        let schema = schema();
        let kind = |name: &str| type_name(schema.field_with_name(name).unwrap().data_type());
        assert_eq!(kind("source_row"), "int64");
        assert_eq!(kind("used_premises"), "list<int32>");
        assert_eq!(kind("presuppositions"), "list<struct<target: utf8, formula: utf8, sentence: utf8?>>");
        assert_eq!(kind("source_raw"), "binary");
        assert_eq!(kind("review_score"), "float64");
    }
}
