#!/usr/bin/env node
// `npx roster` links the command once and for all. Where it did so when the command was this file, the link leads here still.
import './cli.js';
