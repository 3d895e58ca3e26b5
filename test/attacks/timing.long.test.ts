import { timeRefusals } from './proofs/timing.ts';

timeRefusals({ keys: 50_000, accounts: 300, isAsserted: true });
