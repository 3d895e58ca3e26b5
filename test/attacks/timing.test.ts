import { timeRefusals } from './proofs/timing.ts';

timeRefusals({ keys: 20, accounts: 1, isAsserted: false });
