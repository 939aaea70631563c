//! Evidence: figures beside the commands that reproduce them.

pub mod evidence;
pub mod how;
