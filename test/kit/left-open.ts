import { after } from 'node:test';

const GRACE_MS = 30_000;

/** A preload for test files. What a test that timed out left open, such as a program or a browser, would keep its process alive,
 *  and the whole run would wait for it. */
if (process.env.NODE_TEST_CONTEXT)
  after(() => {
    const fail = () => {
      console.error(`Still open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    };
    setTimeout(fail, GRACE_MS).unref();
  });
