import { scriptOf } from './built.js';

// It takes no arguments; `roster start` says so.
if (process.argv.length > 2) {
  process.argv.splice(2, 0, 'start');
  await import('./cli.js');
} else {
  await import(
    scriptOf('main', './main.ts', () => {
      console.error(
        'Roster runs from its sources, which takes more memory and a slower start. Run npm run build to build it.',
      );
    })
  );
}
