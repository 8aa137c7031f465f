//! What every frame is asked.

use polars::prelude::{DataType, Expr, LazyFrame, PolarsResult, col, len};

/// How many rows there are of each combination of texts in columns, in no order.
pub(crate) fn counted<const N: usize>(frame: LazyFrame, columns: [&str; N]) -> PolarsResult<Vec<([String; N], usize)>> {
    totalled(frame, columns, len())
}

/// A whole number, not below 0, for each combination of texts in columns, in no order.
pub(crate) fn totalled<const N: usize>(
    frame: LazyFrame,
    columns: [&str; N],
    value: Expr,
) -> PolarsResult<Vec<([String; N], usize)>> {
    let value = value.cast(DataType::UInt64).alias("total");
    let totalled = frame.group_by(columns.map(col)).agg([value]).collect()?;
    let keys = columns.map(|column| totalled.column(column).and_then(|c| c.str().cloned()));
    let totals = totalled.column("total")?.u64()?;
    let mut out = Vec::new();
    for (row, total) in totals.iter().enumerate() {
        let mut key = [const { String::new() }; N];
        for (to, column) in key.iter_mut().zip(&keys) {
            let column = column.as_ref().map_err(Clone::clone)?;
            column.get(row).unwrap_or_default().clone_into(to);
        }
        out.push((key, usize::try_from(total.unwrap_or_default()).unwrap_or(usize::MAX)));
    }
    Ok(out)
}
