import { compareWithModel } from './agreement.ts';

compareWithModel(4_000);
