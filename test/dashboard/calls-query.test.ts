import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { filterQuery } from '../../dashboard/src/pages/calls/list/query.ts';
import type { CallsSearch } from '../../dashboard/src/records/calls/url-params.ts';

/** What the address contains besides filters. */
type Other = 'sort' | 'page' | 'size' | 'columns' | 'view_id' | 'charts' | 'call';
type FilterName = Exclude<keyof CallsSearch, Other>;

/** The parameters of the service for each filter in the address. */
const FILTERS: Record<FilterName, readonly [value: string, parameters: Record<string, string>]> = {
  contact: ['contact_1', { contact_id: 'contact_1' }],
  agent: ['agent_1', { agent_id: 'agent_1' }],
  version: ['version_1', { version_id: 'version_1' }],
  channel: ['channel_1', { channel_id: 'channel_1' }],
  direction: ['inbound', { direction: 'inbound' }],
  type: ['message', { type: 'message' }],
  status: ['no_answer', { status: 'no_answer' }],
  disposition: ['booked', { disposition: 'booked' }],
  goal: ['-booked', { goal: '-booked' }],
  tag: ['vip', { tag: 'vip' }],
  number: ['+12025550123', { number: '+12025550123' }],
  duration: ['15..30', { seconds_min: '15', seconds_max: '29' }],
  search: ['a reminder', { search: 'a reminder' }],
  date: [
    '2026-11-01..2026-11-02',
    { started_since: '2026-10-31T23:00:00.000Z', started_before: '2026-11-02T23:00:00.000Z' },
  ],
};

const sentFor = (search: CallsSearch) =>
  Object.fromEntries(
    Object.entries(filterQuery(search, 'Europe/Berlin')).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );

it('Each filter of the list of calls is sent as the parameter that the service documents for it', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const documented: string[] = paths['/v1/calls'].get.parameters.map(({ name }: { name: string }) => name);
  for (const [name, [value, parameters]] of Object.entries(FILTERS)) {
    assert.deepEqual(sentFor({ [name]: value }), parameters, name);
    for (const parameter of Object.keys(parameters)) assert.ok(documented.includes(parameter), parameter);
  }
  assert.deepEqual(sentFor({}), {});
  assert.deepEqual(sentFor({ duration: '600..' }), { seconds_min: '600' });
  assert.deepEqual(sentFor({ duration: '0..15' }), { seconds_max: '14' });
  assert.deepEqual(sentFor({ duration: '30..15' }), {}, 'no range');
});
