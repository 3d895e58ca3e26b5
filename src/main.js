import { scriptOf } from './built.js';

await import(scriptOf('serve', './serve.ts'));
