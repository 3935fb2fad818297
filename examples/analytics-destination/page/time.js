// Formats times for people, in their time zone.

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const SHORT_CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** `10:42`. */
export function hourAndMinute(time) {
  return SHORT_CLOCK.format(time);
}

/** `10:42:01`, preceded by the date unless it is today. */
export function clock(time) {
  const day = DAY.format(time);
  return day === DAY.format(Date.now()) ? CLOCK.format(time) : `${day}, ${CLOCK.format(time)}`;
}

/** The element for a time. Its tooltip shows the time as received. */
export function timeElement(text) {
  const element = document.createElement("time");
  element.dateTime = text;
  element.title = text;
  element.textContent = clock(Date.parse(text));
  return element;
}
