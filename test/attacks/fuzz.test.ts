import { fuzz } from './proofs/fuzz.ts';

fuzz({ requests: 400, seed: process.env.FUZZ_SEED ?? 'roster' });
