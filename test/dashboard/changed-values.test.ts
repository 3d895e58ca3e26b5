import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Field } from '../../dashboard/src/api/types.gen.ts';
import { changesIn, valueText } from '../../dashboard/src/records/changes/values.ts';

const fields = [
  { key: 'renewal', label: 'Renewal date', type: 'date' },
  { key: 'newsletter', label: 'Newsletter', type: 'boolean' },
] as Field[];

/** `Label: old → new`. */
const linesOf = (before: Record<string, unknown>, after: Record<string, unknown>) => {
  const text = (name: string, value: unknown) => valueText(name, value, { fields, zone: 'Europe/Berlin' });
  return changesIn({ before, after }, fields).map(
    (each) => `${each.label}: ${text(each.name, each.before)} → ${text(each.name, each.after)}`,
  );
};

it('Changed values have labels and are in words, and empty ones are a dash', () => {
  const before = {
    company: 'Oldtown',
    notes: null,
    'fields.renewal': '2026-03-01',
    'fields.newsletter': false,
    crm_ids: { hubspot: '1' },
    default_country: 'DE',
    role: 'member',
    options: ['a'],
    starts_at: null,
    call_window: { days: ['mon', 'tue', 'wed'], from: '09:00', to: '17:00' },
    agent_id: { id: 'agent_1', name: 'One', deleted: false },
    types: null,
    dispositions: [],
  };
  const after = {
    company: '',
    notes: 'Met in June.',
    'fields.renewal': null,
    'fields.newsletter': true,
    crm_ids: { hubspot: '1', sap: '2' },
    default_country: 'FR',
    role: 'owner',
    options: ['a', 'b'],
    starts_at: '2026-01-05T08:00:00.000Z',
    call_window: { days: ['mon', 'tue', 'wed'], from: '10:00', to: '17:00' },
    agent_id: { id: 'agent_2', name: null, deleted: true },
    types: ['call.completed'],
    dispositions: [{ key: 'booked', label: 'Booked' }],
  };
  assert.deepEqual(linesOf(before, after), [
    'Company: Oldtown → –',
    'Notes: – → Met in June.',
    'Renewal date: Mar 1, 2026 → –',
    'Newsletter: No → Yes',
    'CRM IDs · sap: – → 2',
    'Default country: Germany → France',
    'Role: Member → Owner',
    'Options: a → a, b',
    'Start time: – → Jan 5, 2026, 9:00 AM',
    'Call window: Mon–Wed, 09:00–17:00 → Mon–Wed, 10:00–17:00',
    'Agent: One → agent_2',
    'Events: – → call.completed',
    'Dispositions: – → booked · Booked',
  ]);
});

it('An audience is set as a whole and changed in its parts', () => {
  const segment = { id: 'segment_1', name: 'Everyone', deleted: false };
  const live = { audience: { segment_id: segment, mode: 'live' } };
  assert.deepEqual(linesOf({ audience: null }, live), ['Audience: – → Everyone · Live audience']);
  const once = { audience: { segment_id: segment, mode: 'snapshot' } };
  assert.deepEqual(linesOf(live, once), ['Audience · Mode: Live audience → Once']);
});
