// The progress of a test event, then its result.
import { useEffect, useState } from "react";
import { IconButton } from "../../parts/button/button.js";
import { Time } from "../../parts/display/time.js";
import { Banner } from "../../parts/feedback/banner.js";
import type { TestEvent } from "./test-event.js";

/** The server responds within this time. */
const MAX_SECONDS = 25;

export function TestEventStatus({ event, onDismiss }: { event: TestEvent | undefined; onDismiss: () => void }) {
  return (
    <div className="integrations-test" role="status">
      {event?.state === "sending" && <Sending />}
      {event?.state === "finished" && (
        <Banner
          tone={event.success ? "good" : "bad"}
          actions={<IconButton icon="close" label="Dismiss" onPress={onDismiss} />}
        >
          <strong>{event.success ? "The test event was delivered." : "The test event failed."}</strong>{" "}
          <bdi>{event.detail}</bdi>
          {event.at && (
            <span className="note">
              {" "}
              <Time at={event.at} />
            </span>
          )}
        </Banner>
      )}
    </div>
  );
}

function Sending() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="integrations-sending">
      <span>
        Sending a test event. This can take up to {MAX_SECONDS} s if the destination is slow. You can keep working.
      </span>
      {/* A screen reader would announce every second. */}
      <span className="note" aria-hidden="true">
        {seconds} s
      </span>
      <progress aria-label="Sending a test event" className="integrations-progress" />
    </div>
  );
}
