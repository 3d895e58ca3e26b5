import { fuzz } from './proofs/fuzz.ts';

fuzz({ requests: 1_500, seed: process.env.FUZZ_SEED ?? 'roster' });
