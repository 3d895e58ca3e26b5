import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
const words = (scripts.start as string).split(' ');
const program = words.indexOf('exec') + 1;

/** The variables that `npm start` sets. */
export const startEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  words.slice(0, program - 1).map((each) => each.split('=')),
);

/** What `npm start` gives to node: its options, and the script by its whole path. */
export const startArguments: readonly string[] = words
  .slice(program + 1)
  .map((each) => (each.startsWith('-') ? each : fileURLToPath(new URL(each, ROOT))));
