// The value of a feature at one moment.

/** A snapshot: frozen, and not altered by what comes later. */
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
