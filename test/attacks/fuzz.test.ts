import { fuzz } from './proofs/fuzz.ts';

fuzz({ requests: 800, seed: process.env.FUZZ_SEED ?? 'roster' });
