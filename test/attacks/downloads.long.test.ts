import { slowDownloads } from './proofs/downloads.ts';

slowDownloads(14);
