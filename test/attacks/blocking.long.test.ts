import { blockingRequests } from './proofs/blocking.ts';

blockingRequests(['sqlite', 'postgres'], true);
