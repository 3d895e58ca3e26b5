import { scriptOf } from './built.js';

// It takes no arguments; `roster start` says so.
if (process.argv.length > 2) {
  process.argv.splice(2, 0, 'start');
  await import('./cli.js');
} else await import(scriptOf('serve', './serve.ts'));
