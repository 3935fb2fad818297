// Whichever analytics SDK the reader has, which examples import as "your-analytics-sdk".
export function track(_name: string, _properties?: object): void {}
