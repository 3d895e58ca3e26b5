import { blockingRequests } from './proofs/blocking.ts';

// SQLite alone: it reads on the event loop, where PostgreSQL only waits.
blockingRequests(['sqlite'], false);
