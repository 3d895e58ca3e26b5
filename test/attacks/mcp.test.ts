import { attackMcp } from './proofs/mcp.ts';

attackMcp({ requests: 400, seed: process.env.FUZZ_SEED ?? 'roster' });
