import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LONG } from './suites.ts';

/** Runs one long suite. Arguments after its name go to its script, such as the name of one part. */
const [name = '', ...more] = process.argv.slice(2);
const suite = LONG[name];
if (!suite) {
  const width = Math.max(...Object.keys(LONG).map(({ length }) => length));
  const lines = Object.entries(LONG).map(([each, { about }]) => `  ${each.padEnd(width)}  ${about}`);
  const isHelp = name === '--help' || name === '';
  if (!isHelp) console.error(`There is no suite ${name}.\n`);
  console.log(`Usage: npm run test:long -- NAME\n\n${lines.join('\n')}`);
  process.exit(isHelp ? 0 : 1);
}
const child = spawn(process.execPath, [...suite.run, ...more], {
  stdio: 'inherit',
  env: { ...suite.environment, ...process.env },
});
// The runner gets the signal of a terminal as well, and cleans up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
process.exit(code ?? 1);
