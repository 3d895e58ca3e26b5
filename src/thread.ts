import { operations } from './operations.ts';
import { serveThread } from './storage/sqlite/thread.ts';

serveThread(operations);
