import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  listParam,
  pageParam,
  parseSearch,
  returnPathParam,
  sizeParam,
  sortParam,
  stringifySearch,
} from '../../dashboard/src/lib/search-params.ts';

it('The path to open after sign-in is one of the dashboard, never another host', () => {
  for (const path of ['/', '/contacts', '/contacts?tag=vip&page=2', '/agents/a#versions'])
    assert.equal(returnPathParam(path), path);
  const rejected = ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'];
  for (const path of [
    ...rejected,
    '',
    'contacts',
    '/\t/evil.example',
    '/sign-in',
    '/sign-in?next=/',
    1,
    null,
  ])
    assert.equal(returnPathParam(path), undefined, String(path));
});

it('A parameter that someone edited into nonsense is ignored', () => {
  assert.deepEqual(['2', 2, '1', '0', '-1', '1.5', 'two', undefined].map(pageParam), [
    2,
    2,
    ...Array(6).fill(undefined),
  ]);
  assert.deepEqual(['25', '100', '26', 'all'].map(sizeParam), [25, 100, undefined, undefined]);
  assert.deepEqual(
    ['name', '-name', '--name', 'secret'].map((raw) => sortParam(['name'], raw)),
    ['name', '-name', undefined, undefined],
  );
  assert.deepEqual(['a,b', ',a,,b,', ',', ''].map(listParam), ['a,b', 'a,b', undefined, undefined]);
});

it('A search keeps its texts in the URL, and leaves out what is not set', () => {
  const search = { q: 'Ada & Co?', tag: 'a,b', page: '2' };
  assert.deepEqual(parseSearch(stringifySearch(search)), search);
  assert.equal(stringifySearch({ q: '', tag: undefined, page: null }), '');
});
