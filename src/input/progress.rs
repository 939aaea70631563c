//! What the gathering of one target is doing, told while it goes on, for somebody who waits.

/// Takes in what is being done.
pub type Tell<'t> = &'t (dyn Fn(Progress) + Sync);

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A file is read.
    Reading,
    /// The server is started, or its address contacted.
    Starting,
    /// The session is opened.
    Opening,
    /// A page of the list is fetched.
    Listing {
        /// Its number, from 1.
        page: usize,
    },
    /// What must be refused is asked for, or a tool is called as the user told us to.
    Asking,
    /// Changes are waited for.
    Watching,
}
