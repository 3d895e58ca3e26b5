import { workerData } from 'node:worker_threads';
import type { ServingThreadData } from '../threads/protocol.ts';
import { runServingThread } from '../threads/thread.ts';
import { createApp } from './app.ts';
import { registerContributions } from './handlers.ts';
import { loadTracing } from './load-tracing.ts';

registerContributions();
const { config } = workerData as ServingThreadData;
void runServingThread({ createApp, loadTracing: (log) => loadTracing(config, log) });
