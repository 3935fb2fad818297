//! What a session asks for: effects as data, with the events and timers that they name.

/// The timers of a client. Starting one that is running restarts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Delay before the next load.
    Load,
    /// Delay before the stream is opened, or the silence timeout of an open one.
    Stream,
    /// How long a hidden tab keeps its stream.
    Hidden,
    /// Delay before goals and participations are sent, for the first time or again.
    Goals,
}

impl Timer {
    /// All timers.
    pub const ALL: [Self; 4] = [Self::Load, Self::Stream, Self::Hidden, Self::Goals];
}

/// What listeners are told: the public events, and the end of a load for the callbacks of `updateUser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Features were found in local storage.
    LoadedFromCache,
    /// Features were evaluated and loaded.
    Init,
    /// The older name of [`Self::Init`].
    Loaded,
    /// The values of features have changed.
    UpdatedFeature,
    /// Features could not be evaluated.
    Error,
    /// A feature was evaluated.
    Evaluation,
    /// A load has succeeded or failed.
    LoadEnded,
}

/// An action for the code around the session to execute. A text comes with some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Tell the listeners of an event, and with LOAD_ENDED the callbacks of `updateUser`. The text is the message of ERROR, and JSON
    /// of the changed features for UPDATED_FEATURE.
    Emit(Event),
    /// Send a load with `Session::load_body`, and abort the one in flight.
    Load,
    /// Abort the load in flight.
    AbortLoad,
    /// Open the stream with `Session::stream_query`, and close the one that is open.
    OpenStream,
    /// Close the stream.
    CloseStream,
    /// Ask the browser to let this tab hold the stream, and exchange messages with the other tabs of the user. True: take the stream
    /// from the tab that holds it, which does not respond.
    JoinTabs(bool),
    /// Send the text to the other tabs.
    TellTabs,
    /// Let another tab hold the stream.
    LeaveTabs,
    /// Call `Session::timer_fired` after this many milliseconds.
    StartTimer(Timer, u32),
    /// Stop a timer.
    StopTimer(Timer),
    /// Write the user's current features to the cache.
    WriteCache,
    /// Send goals and participations; the text is the body.
    SendGoals,
    /// Send what nobody waits for, so that it is sent even if the page closes; the text is the body.
    SendBeacon,
    /// Remove the listeners from the page.
    RemovePageListeners,
}

impl Effect {
    /// Whether it makes no sense for another user than the one for whom it was queued.
    pub(super) fn is_for_user(self) -> bool {
        matches!(self, Self::Emit(_) | Self::Load | Self::OpenStream | Self::JoinTabs(_))
    }

    /// Whether a text belongs to it.
    pub(super) fn has_text(self) -> bool {
        matches!(
            self,
            Self::Emit(Event::Error | Event::UpdatedFeature) | Self::TellTabs | Self::SendGoals | Self::SendBeacon
        )
    }
}
