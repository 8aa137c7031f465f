//! Shards put together, after it is shown that they are the whole and nothing twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arrow::array::AsArray as _;

use super::cursor::{Rows, come_from, text_column};
use super::parts::Part;
use super::{ShardError, ShardRows};
use crate::emit::{Counts, DECISIONS_FILE, EVIDENCE_FILE, EmitOptions, Emitted, Emitter, InputFile, TIMINGS_FILE};
use crate::prove::cancel;

/// Puts finished shards together in the order of the input and writes the folder that one run would have written, byte
/// for byte but for the table of times. Memory holds a batch of rows of each shard.
///
/// # Errors
/// Shards of different inputs, settings, provers or versions; a shard that is missing, there twice or damaged; a source
/// row that is in no shard or in two; output that cannot be written. Nothing is written then.
pub fn merge(out: &Path, folders: &[PathBuf]) -> Result<Emitted, ShardError> {
    let mut parts: Vec<Part> = folders.iter().map(|folder| Part::read(folder)).collect::<Result<_, _>>()?;
    parts.sort_by_key(|part| part.shard.index);
    let Some(first) = parts.first() else { return Err(ShardError::Nothing) };
    belong_together(first, &parts)?;
    let plan = plan(&first.info.inputs, &parts)?;
    for part in &parts {
        part.check_files()?;
    }
    let (info, csv) =
        (first.info.clone(), parts.iter().all(|part| part.outputs.iter().any(|o| o.file.ends_with(".csv"))));
    let timings = parts.iter().all(|part| part.folder.join(TIMINGS_FILE).is_file());
    let proofs = parts.iter().all(|part| part.outputs.iter().any(|o| o.file == EVIDENCE_FILE));
    let options = EmitOptions { csv, timings, proofs };
    let mut emitter = Emitter::create(out, options)?;
    if first.outputs.iter().any(|o| o.file == DECISIONS_FILE) {
        let path = first.folder.join(DECISIONS_FILE);
        let text = std::fs::read_to_string(&path)
            .map_err(|e| ShardError::Damaged { file: path.clone(), reason: e.to_string() })?;
        emitter.attach(DECISIONS_FILE, &text);
    }
    for input in &info.inputs {
        emitter.open_split(&input.split)?;
    }
    let mut readers: Vec<Reader<'_>> = parts.iter().map(|part| Reader::new(part, options)).collect::<Result<_, _>>()?;
    for (input, pieces) in info.inputs.iter().zip(&plan) {
        for piece in pieces {
            if cancel::is_requested() {
                return Err(ShardError::Interrupted);
            }
            if let Some(reader) = readers.get_mut(piece.part) {
                reader.copy(input, piece, &mut emitter)?;
            }
        }
    }
    readers.into_iter().try_for_each(Reader::end)?;
    let mut counts = Counts::default();
    parts.iter().for_each(|part| counts.merge(&part.counts));
    emitter.count(&counts)?;
    Ok(emitter.finish(&info)?)
}

/// That these are all parts of one run.
fn belong_together(first: &Part, parts: &[Part]) -> Result<(), ShardError> {
    let differ =
        |other: &Part, what| ShardError::Differ { one: first.folder.clone(), other: other.folder.clone(), what };
    for part in parts {
        if let Some(what) = first.info.difference(&part.info) {
            return Err(differ(part, what));
        }
        if part.shard.count != first.shard.count {
            return Err(differ(part, "number of shards"));
        }
        let names = |part: &Part| part.outputs.iter().map(|o| (o.file.clone(), o.split.clone())).collect::<Vec<_>>();
        if names(part) != names(first) {
            return Err(differ(part, "files"));
        }
    }
    for pair in parts.windows(2) {
        if let [a, b] = pair
            && a.shard.index == b.shard.index
        {
            return Err(ShardError::Twice { index: a.shard.index, one: a.folder.clone(), other: b.folder.clone() });
        }
    }
    let there = |index: &u32| parts.iter().any(|part| part.shard.index == *index);
    let missing: Vec<u32> = (0..first.shard.count).filter(|index| !there(index)).collect();
    if missing.is_empty() { Ok(()) } else { Err(ShardError::Missing { count: first.shard.count, missing }) }
}

/// Rows of one input that follow each other in one shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    first: u64,
    last: u64,
    /// The shard, as a position in the list of parts.
    part: usize,
}

/// For each input the pieces that cover it, each row once.
fn plan(inputs: &[InputFile], parts: &[Part]) -> Result<Vec<Vec<Piece>>, ShardError> {
    let mut plan = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let mut pieces: Vec<Piece> = Vec::new();
        for (part, Part { folder, shard, .. }) in parts.iter().enumerate() {
            let mut of_input = shard.rows.iter().filter(|rows| rows.input == number);
            let (Some(ShardRows { split, rows, .. }), None) = (of_input.next(), of_input.next()) else {
                let reason = format!("it does not tell once which rows of input {number} it holds");
                return Err(ShardError::NotAShard { folder: folder.clone(), reason });
            };
            if *split != input.split {
                let reason = format!("it has {:?} under the split {split:?}, not {:?}", input.name, input.split);
                return Err(ShardError::NotAShard { folder: folder.clone(), reason });
            }
            pieces.extend(rows.ranges().map(|(first, last)| Piece { first, last, part }));
        }
        pieces.sort_unstable();
        covers(input, &pieces)?;
        plan.push(pieces);
    }
    Ok(plan)
}

fn covers(input: &InputFile, pieces: &[Piece]) -> Result<(), ShardError> {
    let missing = |first, last| ShardError::MissingRows { input: input.name.clone(), first, last };
    let surplus = |piece: &Piece, first, last, why| {
        let index = u32::try_from(piece.part).unwrap_or(u32::MAX);
        ShardError::SurplusRows { input: input.name.clone(), first, last, index, why }
    };
    let mut next = 0;
    for piece in pieces {
        if piece.first > next {
            return Err(missing(next, piece.first - 1));
        }
        if piece.first < next {
            return Err(surplus(piece, piece.first, piece.last.min(next - 1), "though another has it"));
        }
        if piece.last >= input.rows {
            return Err(surplus(piece, piece.first.max(input.rows), piece.last, "though the input ends before"));
        }
        next = piece.last + 1;
    }
    if next < input.rows { Err(missing(next, input.rows - 1)) } else { Ok(()) }
}

/// The files of one shard, read from start to end.
struct Reader<'a> {
    part: &'a Part,
    splits: BTreeMap<&'a str, Rows>,
    csv: BTreeMap<&'a str, csv::Reader<std::fs::File>>,
    timings: Option<Rows>,
    evidence: Option<Rows>,
}

impl<'a> Reader<'a> {
    fn new(part: &'a Part, options: EmitOptions) -> Result<Self, ShardError> {
        let (mut splits, mut csv) = (BTreeMap::new(), BTreeMap::new());
        for input in &part.info.inputs {
            let split = input.split.as_str();
            if splits.contains_key(split) {
                continue;
            }
            splits.insert(split, Rows::open(&part.file(split, ".parquet")?)?);
            if options.csv {
                let file = part.file(split, ".csv")?;
                let reader = csv::ReaderBuilder::new().from_path(&file);
                csv.insert(split, reader.map_err(|e| ShardError::Damaged { file, reason: e.to_string() })?);
            }
        }
        let table = |wanted: bool, name| wanted.then(|| Rows::open(&part.folder.join(name))).transpose();
        let (timings, evidence) = (table(options.timings, TIMINGS_FILE)?, table(options.proofs, EVIDENCE_FILE)?);
        Ok(Self { part, splits, csv, timings, evidence })
    }

    fn copy(&mut self, input: &InputFile, piece: &Piece, emitter: &mut Emitter) -> Result<(), ShardError> {
        let split = input.split.as_str();
        let Some(rows) = self.splits.get_mut(split) else { return Ok(()) };
        let mut next = piece.first;
        while next <= piece.last {
            let left = usize::try_from(piece.last - next + 1).unwrap_or(usize::MAX);
            let Some(taken) = rows.take(left)? else { return Err(rows.damaged("it has fewer rows than are recorded")) };
            if !come_from(&taken, &input.name, &input.sha256, next) {
                let reason = format!("where row {next} of {} should be is another", input.name);
                return Err(rows.damaged(reason));
            }
            if let (Some(timings), Some(ids)) = (&mut self.timings, text_column(&taken, "record_id")) {
                for id in ids.as_string::<i32>().iter().flatten() {
                    for batch in timings.take_of(id)? {
                        emitter.append_timings(&batch)?;
                    }
                }
            }
            if let (Some(evidence), Some(ids)) = (&mut self.evidence, text_column(&taken, "record_id")) {
                for id in ids.as_string::<i32>().iter().flatten() {
                    for batch in evidence.take_of(id)? {
                        emitter.append_evidence(&batch)?;
                    }
                }
            }
            emitter.append(split, &taken)?;
            next += taken.num_rows() as u64;
        }
        if let Some(csv) = self.csv.get_mut(split) {
            let mut record = csv::ByteRecord::new();
            for _ in piece.first..=piece.last {
                let damaged = |reason: String| ShardError::Damaged {
                    file: self.part.folder.join(format!("{split}.csv")),
                    reason,
                };
                if !csv.read_byte_record(&mut record).map_err(|e| damaged(e.to_string()))? {
                    return Err(damaged("it has fewer rows than are recorded".to_owned()));
                }
                emitter.append_csv(split, &record)?;
            }
        }
        Ok(())
    }

    /// That nothing is left in any file.
    fn end(self) -> Result<(), ShardError> {
        self.splits.into_values().chain(self.timings).chain(self.evidence).try_for_each(Rows::end)?;
        for (split, mut csv) in self.csv {
            if csv.read_byte_record(&mut csv::ByteRecord::new()).unwrap_or(true) {
                let file = self.part.file(split, ".csv")?;
                return Err(ShardError::Damaged { file, reason: "it has more rows than are recorded".to_owned() });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(rows: u64) -> InputFile {
        InputFile {
            name: "a.jsonl".to_owned(),
            split: "a".to_owned(),
            sha256: String::new(),
            bytes: 0,
            format: "jsonl".to_owned(),
            compression: "none".to_owned(),
            dialect: "malls".to_owned(),
            rows,
            origin: None,
            revision: None,
        }
    }

    #[test]
    fn every_row_must_be_there_once() {
        let told = |pieces: &[(u64, u64, usize)], rows| {
            let pieces: Vec<Piece> = pieces.iter().map(|&(first, last, part)| Piece { first, last, part }).collect();
            covers(&input(rows), &pieces).map_err(|e| e.to_string())
        };
        assert_eq!(told(&[(0, 3, 0), (4, 4, 1), (5, 9, 0)], 10), Ok(()));
        let error = |pieces, rows| told(pieces, rows).unwrap_err();
        insta::assert_snapshot!(error(&[(0, 3, 0), (5, 9, 0)], 10), @"row 4 of a.jsonl is in no shard");
        insta::assert_snapshot!(error(&[(2, 9, 0)], 10), @"rows 0 to 1 of a.jsonl are in no shard");
        insta::assert_snapshot!(error(&[(0, 3, 0)], 10), @"rows 4 to 9 of a.jsonl are in no shard");
        insta::assert_snapshot!(error(&[(0, 5, 0), (4, 9, 1)], 10), @"rows 4 to 5 of a.jsonl stand in shard 1 though another has it");
        insta::assert_snapshot!(error(&[(0, 10, 0)], 10), @"row 10 of a.jsonl stands in shard 0 though the input ends before");
    }
}
