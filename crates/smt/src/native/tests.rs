//! Tests that need a look inside.
