//! The formats, each with its own shapes.
