import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checks } from '../../build/release/checks.ts';

describe('Version', () => {
  it('Every file that states the version of Roster states the same one', () => {
    assert.equal(checks['All files state the same version']?.('.'), undefined);
  });

  it('The changelog describes the version and how to upgrade to it', () => {
    assert.equal(checks['The changelog has the version, its date and upgrade notes']?.('.'), undefined);
  });
});
