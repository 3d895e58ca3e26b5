import { timeRefusals } from './proofs/timing.ts';

timeRefusals({ keys: 600, accounts: 4, isJudged: false });
