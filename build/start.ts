import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

/** What `npm start` gives to node: its options, and the script by its whole path. */
export const startArguments: readonly string[] = (scripts.start as string)
  .split(' ')
  .slice(2)
  .map((each) => (each.startsWith('-') ? each : fileURLToPath(new URL(each, ROOT))));
