//! What passes between a worker and its caller.
//!
//! A frame is a magic word with the format's version, the length of the body, the body, and the first half of the
//! SHA-256 of all that. Numbers are little-endian. Each side reads whole frames and believes none that is not intact.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::prove::process::{End, Finished};

/// `rfq`, `rfa`: question and answer; the last byte is the version.
const QUESTION: [u8; 4] = *b"rfq\x01";
const REPLY: [u8; 4] = *b"rfa\x01";
/// Bytes before the body.
pub(super) const HEAD: usize = 8;
/// Bytes after the body.
pub(super) const DIGEST: usize = 16;
/// Longest frame, in bytes: two outputs at their limit and their numbers.
pub const MAX_FRAME: usize = 160 * 1024 * 1024;

/// A problem, and what a run at it may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Chosen by the caller; the reply carries it.
    pub id: u64,
    /// Wall-clock time, to the microsecond.
    pub wall: Duration,
    /// Bytes that each of stdout and stderr may bring.
    pub output_bytes: u64,
    /// What the prover reads.
    pub problem: Vec<u8>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The question's.
    pub id: u64,
    /// The digest of the question's frame: the reply is to this text and no other.
    pub question: [u8; DIGEST],
    /// How the run ended and what it printed.
    pub finished: Finished,
}

/// Why bytes are no frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// They start with something else.
    #[error("no frame of this format: it starts with {0:02x?}")]
    Magic([u8; 4]),
    /// The length is beyond [`MAX_FRAME`].
    #[error("a frame of {0} bytes")]
    TooLong(usize),
    /// The digest is another.
    #[error("a damaged frame")]
    Damaged,
    /// The parts do not make up the whole.
    #[error("a frame with the wrong parts")]
    Parts,
}

impl Question {
    /// The frame, and its digest.
    #[must_use]
    pub fn encode(&self) -> (Vec<u8>, [u8; DIGEST]) {
        let mut body = Vec::with_capacity(self.problem.len() + 24);
        body.extend(self.id.to_le_bytes());
        body.extend(micros(self.wall).to_le_bytes());
        body.extend(self.output_bytes.to_le_bytes());
        body.extend(&self.problem);
        frame(QUESTION, &body)
    }

    /// Reads a whole frame.
    ///
    /// # Errors
    /// If it is not an intact question.
    pub fn decode(frame: &[u8]) -> Result<(Self, [u8; DIGEST]), FrameError> {
        let (body, digest) = body(QUESTION, frame)?;
        let mut reader = Reader(body);
        let (id, wall, output_bytes) = (reader.u64()?, reader.u64()?, reader.u64()?);
        Ok((Self { id, wall: Duration::from_micros(wall), output_bytes, problem: reader.0.to_vec() }, digest))
    }
}

impl Reply {
    /// The frame.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let Finished { end, stdout, stderr, wall } = &self.finished;
        let (kind, number) = match *end {
            End::Exited(code) => (0, code),
            End::Signalled(signal) => (1, signal),
            End::TimedOut => (2, 0),
            End::OutputOverflow => (3, 0),
            End::Cancelled => (4, 0),
        };
        let mut body = Vec::with_capacity(stdout.len() + stderr.len() + 64);
        body.extend(self.id.to_le_bytes());
        body.extend(self.question);
        body.extend(u32::to_le_bytes(kind));
        body.extend(number.to_le_bytes());
        body.extend(micros(*wall).to_le_bytes());
        body.extend((stdout.len() as u64).to_le_bytes());
        body.extend(stdout);
        body.extend(stderr);
        frame(REPLY, &body).0
    }

    /// Reads a whole frame.
    ///
    /// # Errors
    /// If it is not an intact reply.
    pub fn decode(frame: &[u8]) -> Result<Self, FrameError> {
        let (body, _) = body(REPLY, frame)?;
        let mut reader = Reader(body);
        let id = reader.u64()?;
        let question = reader.array()?;
        let kind = u32::from_le_bytes(reader.array()?);
        let number = i32::from_le_bytes(reader.array()?);
        let wall = Duration::from_micros(reader.u64()?);
        let stdout = usize::try_from(reader.u64()?).map_err(|_| FrameError::Parts)?;
        let (stdout, stderr) = reader.0.split_at_checked(stdout).ok_or(FrameError::Parts)?;
        let end = match kind {
            0 => End::Exited(number),
            1 => End::Signalled(number),
            2 => End::TimedOut,
            3 => End::OutputOverflow,
            4 => End::Cancelled,
            _ => return Err(FrameError::Parts),
        };
        Ok(Self { id, question, finished: Finished { end, stdout: stdout.into(), stderr: stderr.into(), wall } })
    }
}

/// The length of the whole frame that starts with these bytes; `None` as long as that cannot be told.
///
/// # Errors
/// If no frame starts so.
pub(super) fn length(start: &[u8]) -> Result<Option<usize>, FrameError> {
    let Some(head) = start.first_chunk::<HEAD>() else { return Ok(None) };
    let [m0, m1, m2, m3, l0, l1, l2, l3] = *head;
    let magic = [m0, m1, m2, m3];
    if magic != QUESTION && magic != REPLY {
        return Err(FrameError::Magic(magic));
    }
    let whole = (u32::from_le_bytes([l0, l1, l2, l3]) as usize).saturating_add(HEAD + DIGEST);
    if whole > MAX_FRAME { Err(FrameError::TooLong(whole)) } else { Ok(Some(whole)) }
}

fn frame(magic: [u8; 4], body: &[u8]) -> (Vec<u8>, [u8; DIGEST]) {
    let mut out = Vec::with_capacity(body.len() + HEAD + DIGEST);
    out.extend(magic);
    // A length that does not fit makes a frame that the reader refuses.
    out.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(body);
    let digest = digest(&out);
    out.extend(digest);
    (out, digest)
}

fn body(magic: [u8; 4], frame: &[u8]) -> Result<(&[u8], [u8; DIGEST]), FrameError> {
    let (signed, given) = frame.split_last_chunk::<DIGEST>().ok_or(FrameError::Parts)?;
    let (head, body) = signed.split_at_checked(HEAD).ok_or(FrameError::Parts)?;
    if !head.starts_with(&magic) {
        return Err(FrameError::Magic(*head.first_chunk().ok_or(FrameError::Parts)?));
    }
    if length(head)? != Some(frame.len()) {
        return Err(FrameError::Parts);
    }
    if digest(signed) == *given { Ok((body, *given)) } else { Err(FrameError::Damaged) }
}

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    let whole: [u8; 32] = Sha256::digest(bytes).into();
    let mut half = [0; DIGEST];
    half.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
    half
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(FrameError::Parts)?;
        self.0 = rest;
        Ok(*first)
    }

    fn u64(&mut self) -> Result<u64, FrameError> {
        Ok(u64::from_le_bytes(self.array()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question {
            id: 7,
            wall: Duration::from_millis(1500),
            output_bytes: 1000,
            problem: b"fof(a, axiom, p).".to_vec(),
        }
    }

    fn reply(end: End) -> Reply {
        let finished =
            Finished { end, stdout: b"out".to_vec(), stderr: b"errors".to_vec(), wall: Duration::from_micros(12) };
        Reply { id: 7, question: question().encode().1, finished }
    }

    #[test]
    fn frames_come_back_as_they_went() {
        let (frame, digest) = question().encode();
        assert_eq!(Question::decode(&frame), Ok((question(), digest)));
        for end in [End::Exited(3), End::Signalled(11), End::TimedOut, End::OutputOverflow, End::Cancelled] {
            let frame = reply(end).encode();
            assert_eq!(length(&frame), Ok(Some(frame.len())));
            assert_eq!(Reply::decode(&frame), Ok(reply(end)));
        }
    }

    #[test]
    fn no_flipped_bit_and_no_cut_passes() {
        let frame = reply(End::Exited(0)).encode();
        for i in 0..frame.len() * 8 {
            let mut bad = frame.clone();
            bad[i / 8] ^= 1 << (i % 8);
            assert!(Reply::decode(&bad).is_err(), "bit {i}");
        }
        for n in 0..frame.len() {
            assert!(Reply::decode(&frame[..n]).is_err(), "{n} bytes");
        }
        assert!(matches!(Reply::decode(&question().encode().0), Err(FrameError::Magic(QUESTION))));
    }

    #[test]
    fn a_length_is_told_early_and_bounded() {
        assert_eq!(length(b"rfa\x01\0\0\0"), Ok(None));
        assert_eq!(length(b"rfa\x01\x02\0\0\0"), Ok(Some(2 + HEAD + DIGEST)));
        assert!(matches!(length(b"rfa\x01\xff\xff\xff\xff"), Err(FrameError::TooLong(_))));
        assert!(matches!(length(b"rfa\x02\0\0\0\0"), Err(FrameError::Magic(_))));
    }
}
