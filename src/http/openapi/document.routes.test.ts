import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HttpRequest } from '../pipeline/route.ts';
import { documentRoutes } from './document.routes.ts';
import type { OpenApiDocument } from './openapi.ts';

it('Every client gets the same bytes of a document', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: '' },
    tags: [],
    paths: {},
  } as unknown as OpenApiDocument;
  for (const { handle } of Object.values(documentRoutes({ api: document, dashboard: document }))) {
    const [first, second] = [
      await handle({ headers: {} } as HttpRequest),
      await handle({ headers: {} } as HttpRequest),
    ];
    assert.ok(Buffer.isBuffer(first.body));
    assert.equal(first.body, second.body);
  }
});
