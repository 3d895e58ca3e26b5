import { compareWithModel } from './agreement.ts';

// Longer than in the quick tier: another seed finds other sequences in each run.
compareWithModel(15_000);
