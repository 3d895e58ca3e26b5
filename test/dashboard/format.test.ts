import assert from 'node:assert/strict';
import { it } from 'node:test';
import { errorDetail, fieldErrors } from '../../dashboard/src/api/api-error.ts';
import { apiErrorFrom } from '../../dashboard/src/api/client.ts';
import { chipText, withoutFilters } from '../../dashboard/src/app/filters/definition.ts';
import { contactName, durationText, relativeTime, secondsAgo } from '../../dashboard/src/lib/format.ts';
import { withoutChange } from '../../dashboard/src/pages/contacts/detail/tag-change.ts';
import { keyStatus } from '../../dashboard/src/pages/settings/keys/labels.ts';
import { actionText } from '../../dashboard/src/records/audit-log/labels.ts';

const NOW = Date.parse('2026-11-10T12:00:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

it('A time is shown relative to now, and as a date after 30 days', () => {
  const texts = [5, 60, 90 * 60, 86_400, 3 * 86_400].map((seconds) => relativeTime(ago(seconds), NOW));
  assert.deepEqual(texts, ['just now', '1 minute ago', '1 hour ago', 'yesterday', '3 days ago']);
  assert.match(relativeTime(ago(40 * 86_400), NOW), /2026/);
  assert.equal(relativeTime(ago(-30), NOW), 'in a moment');
  assert.deepEqual(
    [12, 1, 0, -5, 60].map((seconds) => secondsAgo(ago(seconds), NOW)),
    ['12 seconds ago', '1 second ago', undefined, undefined, undefined],
  );
});

it('A duration has hours only if it needs them', () => {
  assert.deepEqual([0, 5, 65, 3_600, 3_723].map(durationText), [
    '0:00',
    '0:05',
    '1:05',
    '1:00:00',
    '1:02:03',
  ]);
});

it('A contact is called by its display name, its names or its number', () => {
  const names = { display_name: null, first_name: null, last_name: null, phone_number: '+14155550100' };
  assert.equal(contactName(names), '+14155550100');
  assert.equal(contactName({ ...names, last_name: 'Byron' }), 'Byron');
  assert.equal(contactName({ ...names, first_name: 'Ada', last_name: 'Byron' }), 'Ada Byron');
  assert.equal(contactName({ ...names, first_name: 'Ada', display_name: 'Countess' }), 'Countess');
});

it('Undoing a change of tags keeps what others changed since', () => {
  assert.deepEqual(withoutChange(['a', 'b'], ['a'], ['a', 'b']), ['a']);
  assert.deepEqual(withoutChange(['a', 'b', 'later'], ['a'], ['a', 'b']), ['a', 'later']);
  assert.deepEqual(withoutChange(['later'], ['a', 'c'], ['c']), ['later', 'a']);
});

it('An API key expires soon in its last week', () => {
  const labelOf = (expires_at: string | null, revoked_at: string | null = null) =>
    keyStatus({ expires_at, revoked_at }, NOW).label;
  assert.deepEqual(
    [labelOf(null), labelOf(ago(-8 * 86_400)), labelOf(ago(-6 * 86_400)), labelOf(ago(1))],
    ['Active', 'Active', 'Expires soon', 'Expired'],
  );
  assert.equal(labelOf(null, ago(1)), 'Revoked');
});

it('The chip of a filter names what is selected', () => {
  const answer = {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: [{ value: 'draft', label: 'Draft' }],
  } as const;
  assert.equal(chipText(answer, { status: 'draft' }), 'Draft');
  const date = { kind: 'dates', name: 'date', label: 'Date' } as const;
  assert.equal(chipText(date, { date: '7d' }), 'Last 7 days');
  assert.match(chipText(date, { date: '2026-11-01..' }), /^since .*1/);
  assert.deepEqual(withoutFilters([answer, date]), { status: undefined, date: undefined });
});

it('An action of the audit log reads as a sentence', () => {
  assert.equal(actionText({ action: 'contact.exported' }), 'Contact exported');
  assert.equal(actionText({ action: 'session.refused' }), 'Sign-in failed');
});

it('An error of the service becomes messages of fields, details and a request id', () => {
  const answer = (error: object) =>
    apiErrorFrom(new Response(null, { status: 400 }), { success: false, error });
  const invalid = answer({
    code: 'VALIDATION_ERROR',
    message: 'name: is required.',
    details: [{ field: 'name', message: 'is required.' }],
    request_id: 'req_1',
  });
  assert.deepEqual(fieldErrors(invalid), { name: 'Is required.' });
  assert.equal(invalid.requestId, 'req_1');
  const conflict = answer({
    code: 'CONFLICT',
    message: 'Taken.',
    details: { existing_contact_id: 'contact_1' },
  });
  assert.equal(errorDetail(conflict, 'existing_contact_id'), 'contact_1');
  assert.deepEqual(fieldErrors(conflict), {});
  const page = new Response('<html>', { status: 502, headers: { 'X-Request-Id': 'req_2' } });
  const unexpected = apiErrorFrom(page, undefined);
  assert.deepEqual([unexpected.code, unexpected.requestId], ['INTERNAL_ERROR', 'req_2']);
  assert.match(unexpected.message, /502/);
});
