//! What happens in a tree.

use flagservice_server::edge::follow_state::Failure;

use crate::snapshot::Snapshot;

/// Something that happens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A timer of an edge.
    EdgeTimer { node: u32, timer: u32 },
    /// The request of an edge has come to its upstream.
    FollowArrives { node: u32, process: u32, number: u32, parent: u32, parent_process: u32 },
    /// An attempt of an edge has ended without a stream.
    FollowFails { node: u32, process: u32, number: u32, failure: Failure },
    /// The response of the upstream has come.
    FollowAnswered { link: u32 },
    /// A message of the upstream has come.
    ToEdge { link: u32, message: Message },
    /// The edge notices the end of a connection.
    LinkEnded { link: u32 },
    /// A node that has become current sends a heartbeat.
    LinkBeats { link: u32 },
    /// The edge writes its files.
    Write { node: u32, process: u32 },
    /// A timer of a client.
    ClientTimer { client: u32, timer: u8, started: u32 },
    /// A load has come to an edge.
    LoadArrives { client: u32, number: u32, edge: u32 },
    /// The answer to a load has come.
    LoadEnds { client: u32, number: u32, answer: LoadAnswer },
    /// The request for a stream has come to an edge.
    StreamArrives { client: u32, stream: u32, edge: u32 },
    /// Something has come on a stream.
    ToClient { client: u32, stream: u32, message: StreamMessage },
    /// The edge waits no longer for the version that a client has.
    CatchUpEnds { client: u32, stream: u32, edge: u32 },
    /// A client opens its page.
    Visit { client: u32 },
    /// An entry of the plan.
    Operation(usize),
}

/// A message of the upstream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Message {
    Beat,
    Whole(Snapshot),
    Changes(u64, Snapshot),
    Gone,
    Current(bool),
    Reload,
}

/// The answer to a load.
#[derive(Clone, Copy, Debug)]
pub(super) enum LoadAnswer {
    Unreachable,
    TimedOut,
    Status(u16),
    Values(Snapshot),
}

/// What comes on a stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum StreamMessage {
    Open,
    Put(Snapshot),
    Patch(Snapshot),
    Reload(u32),
    Failed,
}
