//! The log: lines on standard error. A thread of its own writes them, so that an output that is full, closed or not read neither holds up
//! nor ends what the process does. Lines for which there is no room are lost, and the log says how many.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

/// How many bytes may wait to be written.
const ROOM: usize = 1024 * 1024;

/// How long the end of the process waits for an output that takes nothing. On a busy machine, the log's own thread may take seconds.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// The log of the process. Each write is one or more whole lines, and never fails.
#[derive(Clone, Default)]
pub struct Log(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// What is not written yet.
#[derive(Default)]
struct Waiting {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    lost: u64,
    is_writing: bool,
}

impl Log {
    /// A log that is written to this output.
    ///
    /// # Errors
    /// When the system allows no further thread.
    pub fn to(output: impl Write + Send + 'static) -> io::Result<Self> {
        let log = Self::default();
        let shared = Arc::clone(&log.0);
        thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&shared, output))?;
        Ok(log)
    }

    /// Writes a line of plain text.
    pub fn line(&self, text: &str) {
        self.0.add(format!("{text}\n").into_bytes());
    }

    /// Waits until everything is written when the returned value is dropped, but not for long.
    pub fn flush_at_end(&self) -> FlushAtEnd {
        FlushAtEnd(Arc::clone(&self.0))
    }
}

impl Write for Log {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        self.0.add(lines.to_vec());
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes what waits, when it is dropped.
pub struct FlushAtEnd(Arc<Shared>);

impl Drop for FlushAtEnd {
    fn drop(&mut self) {
        let is_left = |waiting: &mut Waiting| waiting.is_writing || !waiting.lines.is_empty();
        drop(self.0.changed.wait_timeout_while(self.0.lock(), FLUSH_TIMEOUT, is_left));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, line: Vec<u8>) {
        let mut waiting = self.lock();
        if waiting.bytes + line.len() > ROOM {
            waiting.lost += 1;
            return;
        }
        waiting.bytes += line.len();
        waiting.lines.push_back(line);
        self.changed.notify_all();
    }

    /// Waits for the next line. Returns it, and how many were lost since the one before.
    fn next(&self) -> (Vec<u8>, u64) {
        let mut waiting = self.lock();
        loop {
            if let Some(line) = waiting.lines.pop_front() {
                waiting.bytes -= line.len();
                waiting.is_writing = true;
                return (line, std::mem::take(&mut waiting.lost));
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn written(&self) {
        self.lock().is_writing = false;
        self.changed.notify_all();
    }
}

fn write_lines(shared: &Shared, mut output: impl Write) {
    let (mut untold, mut is_torn) = (0, false);
    loop {
        let (line, lost) = shared.next();
        untold += lost;
        // A part of the line before may have been written.
        let end: &[u8] = if is_torn { b"\n" } else { b"" };
        is_torn = output.write_all(end).and_then(|()| output.write_all(&line)).is_err();
        if is_torn {
            untold += 1;
        } else if untold > 0 {
            is_torn = output.write_all(lost_lines(untold).as_bytes()).is_err();
            untold = if is_torn { untold } else { 0 };
        }
        shared.written();
    }
}

fn lost_lines(count: u64) -> String {
    let fields = json!({ "message": "lines of the log were lost, because it could not be written", "count": count });
    let line = json!({ "timestamp": Timestamp::now().to_string(), "level": "WARN", "fields": fields, "target": module_path!() });
    format!("{line}\n")
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind, Write};
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::{Log, ROOM};

    /// An output that shows each write, and waits for its outcome.
    struct Output(Sender<String>, Receiver<io::Result<()>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(str::from_utf8(bytes).unwrap().to_owned()).unwrap();
            self.1.recv().unwrap().map(|()| bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn log() -> (Log, Receiver<String>, Sender<io::Result<()>>) {
        let ((written, writes), (outcome, outcomes)) = (channel(), channel());
        (Log::to(Output(written, outcomes)).unwrap(), writes, outcome)
    }

    #[test]
    fn lines_without_room_are_lost_and_counted() {
        let (log, writes, outcome) = log();
        log.line("first");
        assert_eq!(writes.recv().unwrap(), "first\n");
        log.line(&"x".repeat(ROOM - 1));
        log.line("lost");
        log.line("lost as well");
        outcome.send(Ok(())).unwrap();
        assert_eq!(writes.recv().unwrap().len(), ROOM);
        outcome.send(Ok(())).unwrap();
        let said = writes.recv().unwrap();
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((&said["level"], &said["fields"]["count"]), (&"WARN".into(), &2.into()));
        outcome.send(Ok(())).unwrap();
        log.line("last");
        assert_eq!(writes.recv().unwrap(), "last\n");
    }

    #[test]
    fn lines_that_cannot_be_written_are_counted_when_one_can() {
        let (log, writes, outcome) = log();
        for text in ["one\n", "\n"] {
            log.line("one");
            assert_eq!(writes.recv().unwrap(), text);
            outcome.send(Err(ErrorKind::StorageFull.into())).unwrap();
        }
        log.line("two");
        for _ in ["\n", "two\n"] {
            writes.recv().unwrap();
            outcome.send(Ok(())).unwrap();
        }
        assert!(writes.recv().unwrap().contains("\"count\":2"));
        outcome.send(Ok(())).unwrap();
    }
}
