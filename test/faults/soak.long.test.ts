import { it } from 'node:test';
import { soak } from './proofs/soak.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 60);
const engine = process.env.SOAK_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

it(`The service stays stable under ${minutes} minutes of mixed load on ${engine}`, (test) =>
  soak(test, { engine, minutes, rate: 150, sampleMs: Math.min(10_000, minutes * 1_500) }));
