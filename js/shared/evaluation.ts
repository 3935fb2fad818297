// The value of a feature at one point in time.

/** A frozen snapshot, which later changes do not affect. */
export class Evaluation {
  private readonly _variant: string;

  constructor(variant: string) {
    this._variant = variant;
    Object.freeze(this);
  }

  is(value: string): boolean {
    return this._variant === value;
  }

  isOn(): boolean {
    return this._variant === "on";
  }

  isOff(): boolean {
    return this._variant === "off";
  }

  value(): string {
    return this._variant;
  }
}
