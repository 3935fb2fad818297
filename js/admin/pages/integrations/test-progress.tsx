// A test event on its way, and then what came of it. Everything else on the page goes on working.
import { useEffect, useState } from "react";
import { IconButton } from "../../parts/button/button.js";
import { Time } from "../../parts/display/time.js";
import { Banner } from "../../parts/feedback/banner.js";
import type { TestEvent } from "./test-event.js";

/** By when the server answers. */
const AT_MOST_S = 25;

export function TestProgress({ event, onDismiss }: { event: TestEvent | undefined; onDismiss: () => void }) {
  return (
    <div className="integrations-test" role="status">
      {event?.state === "sending" && <Sending />}
      {event?.state === "over" && (
        <Banner
          tone={event.success ? "good" : "bad"}
          actions={<IconButton icon="close" label="Dismiss the outcome" onPress={onDismiss} />}
        >
          <strong>{event.success ? "The test event was delivered." : "The test event failed."}</strong>{" "}
          <bdi>{event.detail}</bdi>
          {event.at && (
            <span className="integrations-aside">
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
    const ticking = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(ticking);
  }, []);
  return (
    <div className="integrations-sending">
      <span>
        Sending a test event. This takes up to {AT_MOST_S} s when the destination is slow; you can go on meanwhile.
      </span>
      {/* Spoken once: the seconds are for the eye alone. */}
      <span className="integrations-aside" aria-hidden="true">
        {seconds} s
      </span>
      <progress aria-label="Sending a test event" className="integrations-progress" />
    </div>
  );
}
