import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { open, route } from './route.ts';
import { Router } from './router.ts';

const any = route({ access: open, handle: () => ({ status: 200, body: '' }) });
const router = new Router(
  [
    ['GET', '/'],
    ['GET', '/v1/things'],
    ['POST', '/v1/things'],
    ['GET', '/v1/things/:id'],
    ['DELETE', '/v1/things/:id'],
    ['GET', '/v1/things/mine'],
    ['GET', '/v1/things/:id/parts'],
  ].map(([method = '', path = '']) => ({ method, path, route: any })),
);

/** The paths bound to each method of a match, and the values of its parameters. */
const found = (path: string) => {
  const match = router.find(path);
  return (
    match && { bound: [...match.methods].map(([method, { path }]) => `${method} ${path}`), ...match.params }
  );
};

describe('Router', () => {
  it('The router finds all methods of a path together', () => {
    assert.deepEqual(found('/'), { bound: ['GET /'] });
    assert.deepEqual(found('/v1/things'), { bound: ['GET /v1/things', 'POST /v1/things'] });
  });

  it('The router returns decoded parameter values', () => {
    const bound = ['GET /v1/things/:id', 'DELETE /v1/things/:id'];
    assert.deepEqual(found('/v1/things/7'), { bound, id: '7' });
    assert.deepEqual(found('/v1/things/a%20b%2Fc%C3%A9'), { bound, id: 'a b/cé' });
    assert.deepEqual(found('/v1/things/__proto__'), { bound, id: '__proto__' });
    assert.deepEqual(found('/v1/things/7/parts'), { bound: ['GET /v1/things/:id/parts'], id: '7' });
  });

  it('The router returns an invalidly encoded value as it is, so that its route can reject it', () => {
    const bound = ['GET /v1/things/:id', 'DELETE /v1/things/:id'];
    for (const id of ['%', '%zz', '%ff', 'a%2']) assert.deepEqual(found(`/v1/things/${id}`), { bound, id });
  });

  it('The router prefers a literal segment to a parameter', () => {
    assert.deepEqual(found('/v1/things/mine'), { bound: ['GET /v1/things/mine'] });
  });

  it('The router finds no other path', () => {
    for (const path of [
      '',
      '/v1',
      '/v1/',
      '/v1/things/',
      '/v1//things',
      '//v1/things',
      '/v1/things/7/',
      '/v1/things//parts',
      '/v1/things/7/parts/1',
      '/V1/things',
      '/v1/thing%73',
      '/constructor',
      '/__proto__',
    ]) {
      assert.equal(found(path), undefined, path);
    }
  });
});
