import { serveThread } from '../db/sqlite/threads/thread.ts';
import { registerCascades } from './handlers.ts';
import { operations } from './operations.ts';

registerCascades();
serveThread(operations);
