// The part of Node's strict assertions that examples use which run in a page too.
export default {
  equal(actual, expected) {
    if (!Object.is(actual, expected)) throw new Error(`${actual} is not ${expected}`);
  },
};
