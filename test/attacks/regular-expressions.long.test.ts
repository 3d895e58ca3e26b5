import { checkRegularExpressions } from './proofs/regular-expressions.ts';

checkRegularExpressions(true);
