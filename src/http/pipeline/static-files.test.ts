import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HttpRequest } from './route.ts';
import { fileRoute, staticFile } from './static-files.ts';

it('A file is loaded once, and every client gets the same bytes', async () => {
  let loaded = 0;
  const { handle } = fileRoute(
    () => {
      loaded++;
      return staticFile('application/json', '{}');
    },
    { Vary: 'Accept-Encoding' },
  );
  assert.equal(loaded, 0);
  const [first, second] = [
    await handle({ headers: {} } as HttpRequest),
    await handle({ headers: {} } as HttpRequest),
  ];
  assert.ok(Buffer.isBuffer(first.body));
  assert.equal(first.body, second.body);
  assert.equal(loaded, 1);
});
