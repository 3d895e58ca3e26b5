import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ImportColumn } from '../../dashboard/src/api/types.gen.ts';
import {
  areNewFieldsValid,
  choose,
  crmOf,
  fieldAt,
  hasPhone,
  lacksCrm,
  newFieldAt,
  proposedChoices,
  requestOf,
  withoutVariables,
} from '../../dashboard/src/pages/imports/mapping.ts';

const columns = [
  { name: 'Phone', field: 'phone_number' },
  { name: 'Mobile', field: null },
  { name: 'HubSpot Contact ID', field: null },
] as unknown as readonly ImportColumn[];

it('Mapping a column to a field skips the column that had the field, and only differences are kept', () => {
  const moved = choose(columns, {}, 1, 'phone_number');
  assert.deepEqual(moved, { 0: null, 1: 'phone_number' });
  assert.deepEqual(
    columns.map((_, at) => fieldAt(columns, moved, at)),
    [null, 'phone_number', null],
  );
  assert.deepEqual(choose(columns, moved, 0, 'phone_number'), {});
  assert.equal(hasPhone(columns, choose(columns, {}, 0, null)), false);
  assert.deepEqual(choose(columns, { 1: 'other_phone' }, 2, 'other_phone'), {
    1: 'other_phone',
    2: 'other_phone',
  });
});

it('A column with the ids of a CRM is proposed by its name, and needs the name of the CRM', () => {
  const names = [
    'Salesforce ID',
    'SFDC Contact Id',
    'hub spot record id',
    'PipedriveId',
    'CRM ID',
    'ID',
    'Salesforce',
  ];
  assert.deepEqual(names.map(crmOf), [
    'salesforce',
    'salesforce',
    'hubspot',
    'pipedrive',
    'crm',
    undefined,
    undefined,
  ]);
  const choices = proposedChoices(columns);
  assert.deepEqual(choices, { 2: 'crm_ids' });
  assert.deepEqual([lacksCrm(columns, choices, ' '), lacksCrm(columns, choices, 'hubspot')], [true, false]);
  assert.equal(lacksCrm(columns, {}, ''), false);
});

it('A column can create a field, which a request has apart from the mapping', () => {
  const plan = { key: 'plan', label: 'Plan', type: 'enum', options: ['gold'] } as const;
  const field = { ...plan, options: ['gold'] };
  const choices = choose(columns, choose(columns, {}, 1, field), 2, 'fields.region');
  assert.equal(fieldAt(columns, choices, 1), 'fields.plan');
  assert.deepEqual(newFieldAt(columns, choices, 1), field);
  const request = { mapping: { 2: 'fields.region' }, create_fields: { 1: field } };
  assert.deepEqual(requestOf(columns, choices, ''), request);
  assert.deepEqual(requestOf(columns, {}, ''), {});
  assert.equal(areNewFieldsValid(columns, choices), true);
  for (const wrong of [{ key: 'Plan' }, { label: ' ' }, { options: [] }])
    assert.equal(areNewFieldsValid(columns, { 1: { ...field, ...wrong } }), false);
  const planned = columns.map((column, at) =>
    at === 1 ? { ...column, field: 'fields.plan', creates: field } : column,
  );
  assert.deepEqual(newFieldAt(planned, {}, 1), field);
  assert.equal(newFieldAt(planned, choose(planned, {}, 1, null), 1), undefined);
});

it('Without a campaign no column is a variable', () => {
  const planned = [...columns, { name: 'Room', field: 'variables.room' }] as readonly ImportColumn[];
  const choices = { 1: 'variables.slot', 2: 'crm_ids' } as const;
  assert.deepEqual(withoutVariables(planned, choices), { 2: 'crm_ids', 3: null });
});

it('With a campaign, a request skips every column that is shown as skipped', () => {
  const choices = choose(columns, choose(columns, {}, 1, 'variables.slot'), 1, null);
  assert.deepEqual(choices, {});
  assert.deepEqual(requestOf(columns, choices, 'campaign_1'), { mapping: { 1: null, 2: null } });
  const mapped = requestOf(columns, { 0: null, 1: 'phone_number' }, 'campaign_1');
  assert.deepEqual(mapped, { mapping: { 0: null, 1: 'phone_number', 2: null } });
  const field = { key: 'plan', label: 'Plan', type: 'text' } as const;
  assert.deepEqual(requestOf(columns, { 1: field, 2: 'crm_ids' }, 'campaign_1'), {
    mapping: { 2: 'crm_ids' },
    create_fields: { 1: field },
  });
});
