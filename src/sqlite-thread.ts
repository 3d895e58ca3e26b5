import { serveThread } from './db/sqlite/threads/thread.ts';
import { wire } from './handlers.ts';
import { operations } from './operations.ts';

wire();
serveThread(operations);
