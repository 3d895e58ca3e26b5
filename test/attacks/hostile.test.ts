import { hostileRequests } from './proofs/hostile.ts';

hostileRequests(1);
