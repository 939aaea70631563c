//! Server-sent events: a stream cut into blocks, and what a block says.
//!
//! Own code, because the blocks are kept byte for byte: what a server really sent is what an audit is about.

/// A stream cut into event blocks: the lines up to and with the blank line that ends them.
#[derive(Debug)]
pub struct Blocks {
    limit: usize,
    block: Vec<u8>,
    /// Bytes of a block that outgrew the limit.
    lost: u64,
    /// Whether the line that runs is empty so far.
    line_is_empty: bool,
    /// Whether the byte before was a carriage return, whose line feed may still come.
    after_return: bool,
}

/// What a cut brought.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// A block as received.
    Whole(Vec<u8>),
    /// A block above the limit, with its length; its text is gone.
    Overlong(u64),
}

impl Blocks {
    /// Cuts blocks of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, block: Vec::new(), lost: 0, line_is_empty: true, after_return: false }
    }

    /// Takes in what came, and gives back the blocks that it ends. Blank lines between blocks belong to none.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for &byte in bytes {
            let second_half = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
            let ends_line = matches!(byte, b'\r' | b'\n');
            if second_half {
                // The line ended at the carriage return; a block that it ended is gone already.
                if !self.block.is_empty() || self.lost > 0 {
                    self.keep(byte);
                }
                continue;
            }
            if !ends_line {
                self.keep(byte);
                self.line_is_empty = false;
            } else if !self.line_is_empty {
                self.keep(byte);
                self.line_is_empty = true;
            } else if !self.block.is_empty() || self.lost > 0 {
                self.keep(byte);
                blocks.push(self.cut());
            }
        }
        blocks
    }

    /// Bytes of the block that has begun and not ended. By the standard it is no event when the stream ends there.
    pub fn open(&self) -> u64 {
        self.lost + self.block.len() as u64
    }

    fn keep(&mut self, byte: u8) {
        if self.lost == 0 && self.block.len() < self.limit {
            self.block.push(byte);
        } else {
            self.lost += self.block.len() as u64 + 1;
            self.block = Vec::new();
        }
    }

    fn cut(&mut self) -> Block {
        match std::mem::take(&mut self.lost) {
            0 => Block::Whole(std::mem::take(&mut self.block)),
            lost => Block::Overlong(lost),
        }
    }
}

/// What one block says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its `event`; none means `message`.
    pub event: Option<String>,
    /// Its `id`, from which a client can ask to go on.
    pub id: Option<String>,
    /// Milliseconds after which a client may come back.
    pub retry: Option<u64>,
    /// Its data, the lines joined by line feeds. Empty for a block of comments, or one that only primes the stream.
    pub data: String,
}

impl Event {
    /// Reads a block.
    pub fn read(block: &str) -> Self {
        let mut event = Self::default();
        let mut data: Vec<&str> = Vec::new();
        for line in lines(block.trim_start_matches('\u{feff}')) {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => event.event = Some(value.to_owned()),
                "data" => data.push(value),
                "id" if !value.contains('\0') => event.id = Some(value.to_owned()),
                "retry" => event.retry = value.parse().ok().or(event.retry),
                _ => {}
            }
        }
        event.data = data.join("\n");
        event
    }
}

/// The lines of a block, whichever of the three line ends they have.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, step: usize) -> Vec<String> {
        let mut blocks = Blocks::new(1_000);
        let cut = text.as_bytes().chunks(step).flat_map(|chunk| blocks.push(chunk)).collect::<Vec<Block>>();
        cut.into_iter()
            .map(|block| match block {
                Block::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                Block::Overlong(_) => unreachable!(),
            })
            .collect()
    }

    #[test]
    fn blocks_end_at_any_blank_line() {
        for end in ["\n", "\r", "\r\n"] {
            let text = format!("{end}: hello{end}{end}{end}id: 1{end}data: a{end}{end}data: b{end}");
            for step in 1..8 {
                let found: Vec<Event> = cut(&text, step).iter().map(|block| Event::read(block)).collect();
                let one = Event { id: Some("1".to_owned()), data: "a".to_owned(), ..Event::default() };
                assert_eq!(found, [Event::default(), one], "{end:?} {step}");
            }
        }
    }

    #[test]
    fn fields_are_read_as_the_standard_says() {
        let event =
            Event::read("\u{feff}event: endpoint\r\ndata:a\r\ndata: b\r\nretry: 250\r\nretry: soon\r\nid\r\n\r\n");
        assert_eq!(event.event.as_deref(), Some("endpoint"));
        assert_eq!(event.data, "a\nb");
        assert_eq!(event.retry, Some(250));
        assert_eq!(event.id.as_deref(), Some(""));
    }

    #[test]
    fn a_block_above_the_limit_is_counted_and_the_next_one_read() {
        let mut blocks = Blocks::new(9);
        let found = blocks.push(b"data: 123456789\n\ndata: 1\n\n");
        assert_eq!(found, [Block::Overlong(17), Block::Whole(b"data: 1\n\n".to_vec())]);
        blocks.push(b"data: 2");
        assert_eq!(blocks.open(), 7);
        blocks.push(b"3456789");
        assert_eq!(blocks.open(), 14);
    }
}
