//! Reading datasets as published.
