// The version of the rules that a client has: `<epoch>.<version>.<digest>`. The wire calls it `since`.

const SINCE = /^([0-9a-f]{1,16})\.(\d{1,19})\.[0-9a-f]{1,16}$/;

/** Whether received rules may replace the known ones: their epoch differs, or their version is not lower. */
export function mayReplace(received: string, known: string | undefined): boolean {
  const [, epoch, version] = SINCE.exec(received) ?? [];
  const [, knownEpoch, knownVersion] = SINCE.exec(known ?? "") ?? [];
  if (epoch === undefined || version === undefined) return false;
  return epoch !== knownEpoch || knownVersion === undefined || BigInt(version) >= BigInt(knownVersion);
}
