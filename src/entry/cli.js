#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { scriptOf } from './built.js';

// Halves the start time of a command and saves 40 MB.
enableCompileCache();
await import(scriptOf('cli', '../cli/run.ts'));
