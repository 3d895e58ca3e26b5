import { attackMcp } from './proofs/mcp.ts';

attackMcp({ requests: 10_000, seed: process.env.FUZZ_SEED ?? `${Date.now()}` });
