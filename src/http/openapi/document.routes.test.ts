import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HttpRequest } from '../pipeline/route.ts';
import { documentRoutes } from './document.routes.ts';
import type { OpenApiDocument } from './openapi.ts';

it('A document is generated once, and every client gets the same bytes', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: '' },
    tags: [],
    paths: {},
  } as unknown as OpenApiDocument;
  let generated = 0;
  const describe = () => {
    generated++;
    return document;
  };
  for (const { handle } of Object.values(documentRoutes({ api: describe, dashboard: describe }))) {
    const [first, second] = [
      await handle({ headers: {} } as HttpRequest),
      await handle({ headers: {} } as HttpRequest),
    ];
    assert.ok(Buffer.isBuffer(first.body));
    assert.equal(first.body, second.body);
  }
  assert.equal(generated, 2);
});
