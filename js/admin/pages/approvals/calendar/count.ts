// Numbers of changes in words.

/** `1 change`, `12 changes` */
export function changes(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "change" : "changes"}`;
}
