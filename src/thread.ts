import { operations } from './operations.ts';
import { serveThread } from './storage/sqlite/thread.ts';
import { wire } from './wiring.ts';

wire();
serveThread(operations);
