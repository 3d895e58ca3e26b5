#!/usr/bin/env node
// `npx` may have cached a link to this file, which was the executable before cli.js.
import './cli.js';
