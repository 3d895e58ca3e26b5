import { naughtyTexts } from './proofs/naughty.ts';

naughtyTexts(199);
