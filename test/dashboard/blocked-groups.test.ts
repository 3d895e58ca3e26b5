import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupsOf, sourcesOf } from '../../dashboard/src/pages/campaigns/detail/blocked-groups.ts';

const person = (contact_id: string, ...holes: string[]) => ({
  contact_id,
  contact_name: null,
  contact_phone_number: '+12025550100',
  holes,
});

it('Blocked people are grouped by the values that they lack, in any order, and the largest group comes first', () => {
  const groups = groupsOf([
    person('a', 'plan'),
    person('b', 'plan', 'balance'),
    person('c', 'balance', 'plan'),
    person('d', 'plan', 'balance'),
  ]);
  assert.deepEqual(
    groups.map(({ holes, people }) => [holes, people.map(({ contact_id }) => contact_id)]),
    [
      [
        ['balance', 'plan'],
        ['b', 'c', 'd'],
      ],
      [['plan'], ['a']],
    ],
  );
  assert.deepEqual(groupsOf([]), []);
});

it('Attributes and fields are missing at contacts, and other values at their enrollments', () => {
  const people = [person('a', 'slot', 'company', 'fields.plan'), person('b', 'plan', 'slot', 'tags')];
  assert.deepEqual(sourcesOf(people, ['plan']), {
    contact: ['company', 'fields.plan', 'plan', 'tags'],
    enrollment: ['slot'],
  });
  assert.deepEqual(sourcesOf([], ['plan']), { contact: [], enrollment: [] });
});
