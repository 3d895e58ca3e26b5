import { timeRefusals } from './proofs/timing.ts';

timeRefusals({ keys: 200, accounts: 2, isJudged: false });
