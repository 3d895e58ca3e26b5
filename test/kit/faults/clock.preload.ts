import { readFileSync } from 'node:fs';

/** Loaded before the service on each of its threads: shifts its clock by the number of milliseconds in the file. */
const file = process.env.CLOCK_FILE ?? '';
const offset = () => Number(readFileSync(file, 'utf8'));
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...given: []) {
    if (given.length === 0) super(Real.now() + offset());
    else super(...given);
  }

  static override now(): number {
    return Real.now() + offset();
  }
} as DateConstructor;
