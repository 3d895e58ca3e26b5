import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENCODINGS } from './compression.ts';
import { type Encoding, forbidsIdentity, preferredEncoding } from './content-encoding.ts';

describe('Accept-Encoding', () => {
  it('The preferred encoding has the highest weight, then the best compression', () => {
    for (const [header, expected] of [
      [undefined, undefined],
      ['', undefined],
      ['gzip', 'gzip'],
      ['GZIP', 'gzip'],
      ['x-gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.9, gzip', 'gzip'],
      ['zstd;q=0.1, br;q=0.2, gzip;q=0.3', 'gzip'],
      ['gzip ; Q=0.5 , br;q=0.5', 'br'],
      ['gzip;q=0', undefined],
      ['gzip;q=0.000, br;q=0.001', 'br'],
      ['gzip;q=2', undefined],
      ['gzip;q=, br;q=x', undefined],
      ['gzip;level=9;q=1', 'gzip'],
      ['deflate, compress, brx', undefined],
      ['*', 'gzip'],
      ['*;q=0', undefined],
      ['gzip;q=0, *', 'br'],
      ['br, *;q=0.5', 'br'],
      ['br;q=0.2, *;q=0.5', 'gzip'],
      ['identity', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['identity;q=0.5, gzip', 'gzip'],
      ['identity;q=0, *', 'gzip'],
      ['identity;q=0', undefined],
      [', ,;q=1,', undefined],
    ] as const) {
      assert.equal(preferredEncoding(header, ENCODINGS), expected, String(header));
    }
    const files: readonly Encoding[] = ['br', 'gzip'];
    assert.equal(preferredEncoding('zstd', files), undefined);
    assert.equal(preferredEncoding('gzip, zstd, br', files), 'br');
  });

  it('Only a weight of zero for identity, or for everything else, forbids an uncompressed answer', () => {
    for (const header of ['identity;q=0', 'gzip, identity;q=0.0', '*;q=0', 'gzip, *;q=0'])
      assert.equal(forbidsIdentity(header), true, header);
    for (const header of ['', 'gzip', 'gzip;q=0', '*', 'identity;q=0.1', 'identity, *;q=0'])
      assert.equal(forbidsIdentity(header), false, header);
  });
});
