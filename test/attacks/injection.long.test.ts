import { injectPairs } from './proofs/injection.ts';
import { sqlmapEverywhere } from './proofs/sqlmap.ts';

injectPairs(1);
sqlmapEverywhere();
