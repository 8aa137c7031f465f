//! What the tests of repair share.

use super::Bench;
use crate::prove::Schedule;
use crate::prove::testing::Silent;
use crate::verify::{Asker, Lowering};

/// A bench on which grounding alone answers.
pub(crate) fn with_bench<T>(run: impl FnOnce(&Bench<'_>) -> T) -> T {
    let (prover, schedule, lowering) = (Silent::new(), Schedule::default(), Lowering::default());
    let asker = Asker::new(&prover, &schedule, None);
    run(&Bench { lowering: &lowering, asker: &asker })
}
