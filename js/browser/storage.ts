// Local storage. Where it is blocked, full or missing, nothing is stored and all else works.

import { attempt } from "../shared/attempt.js";

/** The value of a key. */
export const get = (key: string): string | null | undefined => attempt(() => localStorage.getItem(key));

/** Sets the value of a key, or removes it if the value is empty. If storage is full, the old value stays. */
export const set = (key: string, text: string): void =>
  attempt(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)));

/** All keys. */
export const keys = (): string[] => attempt(() => Object.keys(localStorage)) ?? [];

/** Makes the browser load local storage. It does so at the first access, which would be the slowest part of init. */
export const warmUp = (): void => void attempt(() => localStorage.length);
