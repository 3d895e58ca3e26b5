import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError, webhooks } from '../../sdk/src/index.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('Signatures of webhooks', () => {
  const secret = newSecret();
  const payload = JSON.stringify({ type: 'contact.created', data: { name: 'Zoë 🎉' } });
  const signed = (own = secret, time = new Date(), body = payload) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(time.getTime() / 1000)}`,
    'webhook-signature': new Webhook(own).sign('msg_1', time, body),
  });
  const refused = (...args: Parameters<typeof webhooks.verify>) =>
    assert.rejects(webhooks.verify(...args), WebhookVerificationError);

  it('A payload that the reference implementation signed is returned as JSON', async () => {
    const bytes = new TextEncoder().encode(payload);
    for (const form of [payload, bytes, bytes.buffer])
      assert.deepEqual(await webhooks.verify(form, signed(), secret), JSON.parse(payload));
    assert.ok(await webhooks.verify(payload, new Headers(signed()), secret));
  });

  it('A signature is the one of the reference implementation, for text and bytes', async () => {
    const now = 1_800_000_000_900;
    for (const form of [payload, new TextEncoder().encode(payload)])
      assert.deepEqual(await webhooks.sign(form, secret, { id: 'msg_1', now }), {
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1800000000',
        'webhook-signature': new Webhook(secret).sign('msg_1', new Date(1_800_000_000_000), payload),
      });
    const own = await webhooks.sign(payload, secret);
    assert.match(own['webhook-id'], /^msg_[\da-f-]{36}$/);
    assert.ok(new Webhook(secret).verify(payload, own));
    await assert.rejects(webhooks.sign(payload, 'whsec_%%'), TypeError);
  });

  it('A changed payload, id or time, another secret, and a signature of another scheme are refused', async () => {
    await refused(`${payload} `, signed(), secret);
    await refused(payload, { ...signed(), 'webhook-id': 'msg_2' }, secret);
    const later = `${Math.floor(Date.now() / 1000) + 1}`;
    await refused(payload, { ...signed(), 'webhook-timestamp': later }, secret);
    await refused(payload, signed(), newSecret());
    for (const signature of ['v1,', 'v1,AAAA', 'v1a,AAAA', 'v1,%%%', signed()['webhook-signature'].slice(3)])
      await refused(payload, { ...signed(), 'webhook-signature': signature }, secret);
  });

  it('A missing header is named', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await assert.rejects(webhooks.verify(payload, { ...signed(), [name]: undefined }, secret), {
        name: 'WebhookVerificationError',
        message: `The header ${name} is missing.`,
      });
  });

  it('While a secret is rotated, one of several secrets and signatures is enough', async () => {
    const other = newSecret();
    assert.ok(await webhooks.verify(payload, signed(), [other, secret]));
    const both = `v1,${'A'.repeat(43)}= ${signed()['webhook-signature']}`;
    assert.ok(await webhooks.verify(payload, { ...signed(), 'webhook-signature': both }, secret));
    await refused(payload, signed(), []);
  });

  it('A time outside of the tolerance is refused, in both directions', async () => {
    for (const minutes of [-6, 6])
      await refused(payload, signed(secret, new Date(Date.now() + minutes * 60_000)), secret);
    const old = signed(secret, new Date(Date.now() - 360_000));
    assert.ok(await webhooks.verify(payload, old, secret, { toleranceSeconds: 400 }));
    assert.ok(await webhooks.verify(payload, old, secret, { now: Date.now() - 360_000 }));
    await refused(payload, { ...signed(), 'webhook-timestamp': 'soon' }, secret);
  });

  it('A secret that is not base64 is an error of the program', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%%'])
      await assert.rejects(webhooks.verify(payload, signed(), wrong), TypeError);
  });
});
