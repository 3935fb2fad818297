// What the examples of the documentation take for granted: the reader's own functions and components.

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
