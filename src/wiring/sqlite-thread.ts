import { serveThread } from '../db/sqlite/threads/thread.ts';
import { registerContributions } from './handlers.ts';
import './operations.ts';

registerContributions();
serveThread();
