import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { webhooks } from '../../sdk/src/index.ts';
import { isWebhookSecret, newWebhookSecret, signWebhook } from './webhook-signature.ts';

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('Signatures of webhooks', () => {
  it('A new secret has 32 random bytes', () => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()];
    assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(one, other);
    assert.ok(isWebhookSecret(one));
  });

  it('A secret is whsec_ and the canonical base64 of 24 to 64 bytes', () => {
    for (const bytes of [24, 25, 32, 64]) assert.equal(isWebhookSecret(secretOf(bytes)), true, `${bytes}`);
    for (const bytes of [0, 23, 65]) assert.equal(isWebhookSecret(secretOf(bytes)), false, `${bytes}`);
    const base64 = randomBytes(32).toString('base64');
    for (const text of [
      '',
      'whsec_',
      base64,
      `whsec_${base64} `,
      `whsec_${base64.slice(0, -1)}`,
      `WHSEC_${base64}`,
    ])
      assert.equal(isWebhookSecret(text), false, text);
  });

  it('Nothing is signed with a malformed secret', () => {
    const key = randomBytes(32).toString('base64');
    for (const secret of ['', 'whsec_', key, `whsec_${key}\n`, secretOf(23), 'whsec_!!!'])
      assert.throws(
        () => signWebhook({ id: 'msg_1', body: '{}' }, [newWebhookSecret(), secret], new Date()),
        /^Error: A webhook secret is malformed\.$/,
        secret,
      );
  });

  it('The signature is that of the reference implementation, whatever the body and the secret', () => {
    const now = new Date('2026-06-01T12:00:00.999Z');
    const property = fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      (body, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const headers = signWebhook({ id: 'msg_1', body }, [secret], now);
        assert.deepEqual(headers, {
          'webhook-id': 'msg_1',
          'webhook-timestamp': '1780315200',
          'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
        });
      },
    );
    fc.assert(property);
  });

  it('The reference implementation and the SDK verify a message with the old and with the new secret', async () => {
    const [old, current] = [newWebhookSecret(), newWebhookSecret()];
    const body = JSON.stringify({ type: 'contact.created', data: { name: 'Zoë 🎉' } });
    const headers = signWebhook({ id: 'msg_1', body }, [current, old], new Date());
    assert.match(headers['webhook-signature'], /^v1,[^ ,]{44} v1,[^ ,]{44}$/);
    for (const secret of [old, current]) {
      assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
      assert.deepEqual(await webhooks.verify(body, { ...headers }, secret), JSON.parse(body));
    }
    const other = newWebhookSecret();
    assert.throws(() => new Webhook(other).verify(body, { ...headers }), /No matching signature/);
    await assert.rejects(webhooks.verify(body, { ...headers }, other), /No signature of the webhook matches/);
    await assert.rejects(webhooks.verify(`${body} `, { ...headers }, old), /No signature/);
  });
});
