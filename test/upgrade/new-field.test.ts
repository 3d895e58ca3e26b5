import { describe, it } from 'node:test';
import { addField } from './new-field.ts';

describe('A new field of a stored record', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`On ${engine}, no row is rewritten, and both versions write and read side by side`, async (test) => {
      await addField(test, engine, 2_000);
    });
  }
});
