import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEncryptionKey, KeyRing } from '../../lib/encryption.ts';
import { ApiError } from '../../lib/errors.ts';
import { PLAN_MINUTES } from '../../lib/plan-token.ts';
import { issuePlanToken, readPlanToken } from './plan-token.ts';

const ringOf = (...bytes: number[]) => {
  const ring = new KeyRing(() => bytes.map((byte) => createEncryptionKey(Buffer.alloc(32, byte))));
  return {
    sign: (text: string, purpose: string) => ring.sign(text, purpose),
    isSigned: (text: string, purpose: string, signature: Buffer) => ring.isSigned(text, purpose, signature),
  };
};
const ring = ringOf(1);
const principal = { workspace: 1, actor: 'key_a' };
const plan = { agent: 'agent', version: 'version', replaces: '2026-11-16T12:00:00.123Z' };
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  }
  return 'none';
};

test('A plan token returns the deploy that it replaces, and is short', () => {
  for (const replaces of [plan.replaces, null]) {
    const { plan_token: token } = issuePlanToken(ring, principal, { ...plan, replaces });
    assert.equal(token.length, 40);
    assert.equal(readPlanToken(ring, principal, { ...plan, token }), replaces);
  }
});

test('A plan token is worthless for another workspace, key, agent, version or secret', () => {
  const { plan_token: token } = issuePlanToken(ring, principal, plan);
  const read = (...[who, what, keys]: [object, object, typeof ring]) =>
    codeOf(() => readPlanToken(keys, { ...principal, ...who }, { ...plan, token, ...what }));
  assert.equal(read({}, {}, ring), 'none');
  assert.equal(read({ workspace: 2 }, {}, ring), 'VALIDATION_ERROR');
  assert.equal(read({ actor: 'key_b' }, {}, ring), 'VALIDATION_ERROR');
  assert.equal(read({}, { agent: 'other' }, ring), 'VALIDATION_ERROR');
  assert.equal(read({}, { version: 'other' }, ring), 'VALIDATION_ERROR');
  assert.equal(read({}, {}, ringOf(2)), 'VALIDATION_ERROR');
  assert.equal(read({}, {}, ringOf(2, 1)), 'none', 'an older key still verifies after a rotation');
});

test('Every changed character of a plan token is rejected', () => {
  const { plan_token: token } = issuePlanToken(ring, principal, plan);
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    const bytes = (text: string) => Buffer.from(text.slice(5), 'base64url').toString('hex');
    // The last character has two bits that belong to no byte.
    if (at > 4 && bytes(changed) === bytes(token)) continue;
    assert.equal(
      codeOf(() => readPlanToken(ring, principal, { ...plan, token: changed })),
      'VALIDATION_ERROR',
    );
  }
  for (const broken of [
    '',
    'plan_',
    token.slice(0, -1),
    `${token}A`,
    token.slice(5),
    `plan_${'A'.repeat(35)}`,
  ])
    assert.equal(
      codeOf(() => readPlanToken(ring, principal, { ...plan, token: broken })),
      'VALIDATION_ERROR',
    );
});

test('A plan token expires', () => {
  const now = Date.now();
  const { plan_token: token, expires_at } = issuePlanToken(ring, principal, plan, now);
  const at = (ms: number) => codeOf(() => readPlanToken(ring, principal, { ...plan, token }, now + ms));
  assert.equal(at(PLAN_MINUTES * 60_000 - 1_001), 'none');
  assert.equal(at(PLAN_MINUTES * 60_000), 'CONFLICT');
  assert.ok(Math.abs(Date.parse(expires_at) - now - PLAN_MINUTES * 60_000) <= 1_000);
});
