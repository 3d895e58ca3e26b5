import type { TestContext } from 'node:test';
import type { Storage } from '../../../src/db/storage.ts';
import { emptyEngines, engines, type TestDatabase } from '../database/engines.ts';
import { openTestStorage } from '../database/workspaces.ts';
import { startTestService, type TestService } from './test-service.ts';

/** The resources of each test, disposed in reverse order when it ends. */
const stacks = new WeakMap<TestContext, AsyncDisposableStack>();

const disposeAfter = (test: TestContext, dispose: () => Promise<void>): (() => Promise<void>) => {
  let stack = stacks.get(test);
  if (!stack) {
    stack = new AsyncDisposableStack();
    stacks.set(test, stack);
    test.after(() => stack?.disposeAsync());
  }
  let disposal: Promise<void> | undefined;
  const once = () => {
    disposal ??= dispose();
    return disposal;
  };
  stack.defer(once);
  return once;
};

/** A database that is dropped when the test ends. */
export const databaseFor = async (
  test: TestContext,
  engine: keyof typeof engines,
  { isEmpty = false } = {},
): Promise<TestDatabase> => {
  const database = await (isEmpty ? emptyEngines : engines)[engine]();
  return { ...database, drop: disposeAfter(test, database.drop) };
};

/** A service that runs until it is stopped or the test ends. */
export const serviceFor = async (test: TestContext, database: TestDatabase): Promise<TestService> => {
  const service = await startTestService(database);
  return { ...service, stop: disposeAfter(test, service.stop) };
};

/** A storage that is open until it is closed or the test ends. */
export const storageFor = async (test: TestContext, database: TestDatabase): Promise<Storage> => {
  const storage = await openTestStorage(database);
  return { ...storage, close: disposeAfter(test, storage.close) };
};
