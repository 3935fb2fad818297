// The assertions of Node.js that examples use, for examples that also run in a page.
export default {
  equal(actual, expected) {
    if (!Object.is(actual, expected)) throw new Error(`${actual} is not ${expected}`);
  },
};
