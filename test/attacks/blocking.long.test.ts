import { blockingRequests } from './proofs/blocking.ts';

blockingRequests(true);
