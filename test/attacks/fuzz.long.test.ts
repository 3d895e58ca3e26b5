import { fuzz } from './proofs/fuzz.ts';

/** Half of the requests for each engine. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 1_000_000) / 2;

fuzz({ requests, seed: process.env.FUZZ_SEED ?? `${Date.now()}` });
