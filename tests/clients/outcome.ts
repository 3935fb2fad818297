// What a program with a generated client has done and read.
export interface Outcome {
  /** The key of the first project. */
  shop: string;
  /** The number of rules after a change. */
  rules: number;
  /** The status of a change with an old version. */
  stale: number | undefined;
  /** The variant in a preview. */
  variant: string | undefined;
  /** The attribute of the first condition in the preview. */
  attribute: string | undefined;
  /** What an invalid body is told. */
  pointers: string[] | undefined;
}
