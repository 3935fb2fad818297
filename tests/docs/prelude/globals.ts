// Functions and components of the reader that the examples use.

declare global {
  var showNewCheckout: () => void;
  var renderCheckout: () => void;
  var NewCheckout: () => null;
  var OldCheckout: () => null;
}

globalThis.showNewCheckout = () => {};
globalThis.renderCheckout = () => {};
globalThis.NewCheckout = () => null;
globalThis.OldCheckout = () => null;

export {};
