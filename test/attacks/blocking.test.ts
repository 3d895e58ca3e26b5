import { blockingRequests } from './proofs/blocking.ts';

blockingRequests(false);
