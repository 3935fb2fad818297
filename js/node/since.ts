// The point up to which rules are known: `<epoch>.<version>.<digest>`.

const POINT = /^([0-9a-f]{1,16})\.(\d{1,19})\.[0-9a-f]{1,16}$/;

/** Whether rules of this point may replace those of `known`: another epoch, or no lower version. */
export function mayReplace(since: string, known: string | undefined): boolean {
  const [, epoch, version] = POINT.exec(since) ?? [];
  const [, knownEpoch, knownVersion] = POINT.exec(known ?? "") ?? [];
  if (epoch === undefined || version === undefined) return false;
  return epoch !== knownEpoch || knownVersion === undefined || BigInt(version) >= BigInt(knownVersion);
}
