import { injectPairs } from './proofs/injection.ts';

injectPairs(61);
