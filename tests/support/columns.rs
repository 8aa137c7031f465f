//! Looking at single columns of rows that were read back.

use serde_json::Value;

use crate::rows::OutRow;

impl OutRow {
    /// The text of a column that is never null.
    pub(crate) fn text(&self, column: &str) -> &str {
        self.maybe(column).unwrap_or_else(|| panic!("{column} of {self:?}"))
    }

    /// The text of a column, if there is one.
    pub(crate) fn maybe(&self, column: &str) -> Option<&str> {
        self.0[column].as_str()
    }

    /// The elements of a list.
    pub(crate) fn list(&self, column: &str) -> &[Value] {
        self.0[column].as_array().unwrap_or_else(|| panic!("{column} of {self:?}"))
    }

    /// The elements of a list of texts.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        self.list(column).iter().map(|v| v.as_str().expect("a text").to_owned()).collect()
    }

    /// The row without some columns.
    pub(crate) fn without(&self, columns: &[&str]) -> Self {
        let mut row = self.clone();
        for column in columns {
            row.0.remove(*column).unwrap_or_else(|| panic!("no column {column}"));
        }
        row
    }
}
