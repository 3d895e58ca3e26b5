import { serveThread } from './db/sqlite/threads/thread.ts';
import { registerEventHandlers } from './handlers.ts';
import { operations } from './operations.ts';

registerEventHandlers();
serveThread(operations);
