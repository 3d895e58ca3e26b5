import asyncHooks from 'node:async_hooks';

/** A preload for test files. node:test follows every promise, so that it can name the test of an error that no one awaits:
 *  an eighth of the CPU time of a test that calls a service. With this it follows only the tests themselves, which it needs to nest
 *  them; such an error fails the file and not one test. To see which, run the file alone. */
const { createHook } = asyncHooks;
asyncHooks.createHook = ({ init }) => {
  asyncHooks.createHook = createHook;
  return createHook({
    init: (id, type, trigger, resource) => {
      if (type === 'Test') init?.(id, type, trigger, resource);
    },
  });
};
