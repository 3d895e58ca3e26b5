import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Webhook } from '../../dashboard/src/api/types.gen.ts';
import {
  blankForm,
  bodyOf,
  formOf,
  isSameForm,
  missingFields,
} from '../../dashboard/src/pages/webhooks/form.ts';

it('A webhook that is opened and saved unchanged sends what it had', () => {
  const settings = {
    url: 'https://example.com/webhooks',
    description: null,
    types: ['contact.created'],
    tag: 'vip',
    agent_id: null,
    campaign_id: 'campaign_1',
    payload: 'thin',
    include: ['fields'],
    ordered: true,
    max_concurrency: 3,
    rate_per_second: null,
  } as const;
  const form = formOf(settings as unknown as Webhook);
  assert.deepEqual(bodyOf(form), settings);
  assert.ok(isSameForm(form, { ...form, url: ` ${form.url} ` }));
  assert.ok(!isSameForm(form, { ...form, rate: '5' }));
});

it('A new webhook needs a URL, and a type unless it gets all', () => {
  assert.deepEqual(Object.keys(missingFields(blankForm)), ['url']);
  const form = { ...blankForm, url: 'https://example.com', hasAllTypes: false };
  assert.deepEqual(Object.keys(missingFields(form)), ['types']);
  assert.deepEqual(missingFields({ ...form, types: ['contact.created'] }), {});
});
