import { scriptOf } from './built.js';

// Reports unexpected arguments like `roster start`.
if (process.argv.length > 2) {
  process.argv.splice(2, 0, 'start');
  await import(scriptOf('cli', '../cli/run.ts'));
} else {
  await import(
    scriptOf('main', './main.ts', () => {
      console.error(
        'Running from source, which uses more memory and starts more slowly. Run npm run build to build Roster.',
      );
    })
  );
}
