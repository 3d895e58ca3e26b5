import type { Tracing } from '../lib/tracing.ts';
import { kindOf } from './operation.ts';
import type { Storage } from './storage.ts';

/** A storage that runs each operation in a span. */
export const withTracing = (
  storage: Storage,
  engine: 'sqlite' | 'postgres',
  tracing: Pick<Tracing, 'runOperation'>,
): Storage => ({
  ...storage,
  run: ((operation, principal, input) => {
    const span = { name: operation.operationName, kind: kindOf(operation, input), engine };
    return tracing.runOperation(span, () => storage.run(operation, principal, input));
  }) as Storage['run'],
});
