import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
const [, variables, args] = /^((?:\w+=\S+ )*)exec node (.+)$/.exec(scripts.start) as RegExpExecArray;

/** The variables that `npm start` sets. */
export const startEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...(variables as string).matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

/** The arguments of node in `npm start`, with the script as an absolute path. */
export const startArguments: readonly string[] = (args as string)
  .split(' ')
  .map((each) => (each.startsWith('-') ? each : fileURLToPath(new URL(each, ROOT))));
