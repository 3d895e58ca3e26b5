import { workerData } from 'node:worker_threads';
import { registerCascades } from './handlers.ts';
import { workerScript } from './lib/executable.ts';
import { loadTracing } from './load-tracing.ts';
import type { ServingThreadData } from './serving/protocol.ts';
import { runServingThread } from './serving/thread.ts';

registerCascades();
const { config } = workerData as ServingThreadData;
void runServingThread({
  databaseThread: workerScript('sqlite-thread', import.meta.url),
  loadTracing: (log) => loadTracing(config, log),
});
