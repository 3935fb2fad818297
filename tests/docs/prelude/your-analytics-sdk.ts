// The analytics SDK of the reader, which examples import as "your-analytics-sdk".
export function track(_name: string, _properties?: object): void {}
