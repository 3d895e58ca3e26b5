import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostsOf, serverUrls } from './servers.ts';
import { withSessionOptions } from './session-settings.ts';

describe('Servers of a URL', () => {
  it('A URL is divided into one for each server', () => {
    assert.deepEqual(serverUrls('postgres://u:p@one:1,two/d?x=1'), [
      'postgres://u:p@one:1/d?x=1',
      'postgres://u:p@two/d?x=1',
    ]);
    assert.deepEqual(serverUrls('postgresql://[::1]:1/d'), ['postgresql://[::1]:1/d']);
    for (const invalid of ['postgres://one,,two/d', 'postgres://one:99999/d', 'mysql://one/d'])
      assert.equal(serverUrls(invalid), undefined);
  });

  it('A password with @ and commas is not part of the hosts', () => {
    const url = 'postgres://u:p@s,s@one,two/d';
    assert.equal(hostsOf(url), 'one,two');
    assert.deepEqual(serverUrls(url), ['postgres://u:p@s,s@one/d', 'postgres://u:p@s,s@two/d']);
  });

  it('The options of a URL come before our settings', () => {
    const { connectionString, options } = withSessionOptions(
      'postgres://one/d?options=-c%20search_path%3Dx&sslmode=require',
    );
    assert.equal(connectionString, 'postgres://one/d?sslmode=require');
    assert.match(options, /^-c search_path=x -c synchronous_commit=on .*-c statement_timeout=15000/);
  });
});
