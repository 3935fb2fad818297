// How a rule is called in labels and announcements.

/** `rule 2, Beta users` */
export function ruleLabel({ name }: { name?: string }, index: number): string {
  return name ? `rule ${index + 1}, ${name}` : `rule ${index + 1}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
