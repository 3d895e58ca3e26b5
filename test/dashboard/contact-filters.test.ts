import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withFilter } from '../../dashboard/src/pages/contacts/list/short-filters.ts';
import { parseContactsSearch } from '../../dashboard/src/pages/contacts/list/url-params.ts';
import { type Attribute, builtIns, opsOf } from '../../dashboard/src/records/contacts/filter/attributes.ts';
import {
  opLabel,
  parsePeriod,
  periodText,
  sentenceOf,
} from '../../dashboard/src/records/contacts/filter/sentence.ts';
import {
  blankCondition,
  conditionsIn,
  draftGroup,
  type FilterTree,
  isUnfinished,
  isWithinLimits,
  parseFilter,
  replaceDraft,
  rowCount,
  treeOf,
} from '../../dashboard/src/records/contacts/filter/tree.ts';

const fields: readonly Attribute[] = [
  {
    name: 'fields.plan',
    label: 'Plan',
    type: 'enum',
    options: [
      { value: 'gold', label: 'gold' },
      { value: 'silver', label: 'silver' },
    ],
  },
  { name: 'fields.renewal_date', label: 'Renewal date', type: 'date' },
  { name: 'fields.balance', label: 'Balance', type: 'number' },
  { name: 'fields.vip_level', label: 'VIP level', type: 'text' },
  { name: 'fields.insured', label: 'Insured', type: 'boolean' },
];
const attributes = new Map([...builtIns, ...fields].map((each) => [each.name, each]));
const names = new Map([['campaign_1', 'Spring']]);
const inWords = (tree: FilterTree | undefined): string =>
  sentenceOf(tree, { attributes, nameOf: (id) => names.get(id), zone: 'Europe/Berlin' });

const gold = { attribute: 'fields.plan', op: 'eq', value: 'gold' };
const soon = { attribute: 'fields.renewal_date', op: 'within_next', value: 'P30D' };
const recent = { attribute: 'last_activity_at', op: 'within_last', value: 'P7D' };

describe('A filter in words', () => {
  const sentences: readonly (readonly [FilterTree, string])[] = [
    [
      { all: [gold, soon, { not: recent }] },
      'Plan is gold and renewal date is in the next 30 days and not called or messaged in the last 7 days',
    ],
    [
      { any: [gold, { all: [soon, recent] }] },
      'Plan is gold or (renewal date is in the next 30 days and called or messaged in the last 7 days)',
    ],
    [{ not: { any: [gold, soon] } }, 'Not (plan is gold or renewal date is in the next 30 days)'],
    [{ all: [{ not: { all: [gold, soon] } }] }, 'Not (plan is gold and renewal date is in the next 30 days)'],
    [gold, 'Plan is gold'],
    [{ not: gold }, 'Plan is not gold'],
    [{ not: { attribute: 'tag', op: 'ne', value: 'vip' } }, 'Tag is vip'],
    [{ attribute: 'tag', op: 'in', value: ['vip', 'new lead'] }, 'Tag is any of vip, “new lead”'],
    [{ not: { attribute: 'fields.plan', op: 'in', value: ['gold'] } }, 'Plan is none of gold'],
    [{ attribute: 'fields.balance', op: 'gte', value: 1200.5 }, 'Balance is at least 1,200.5'],
    [
      { all: [gold, { attribute: 'fields.vip_level', op: 'is_set', value: false }] },
      'Plan is gold and VIP level is unknown',
    ],
    [{ attribute: 'fields.insured', op: 'eq', value: false }, 'Insured is no'],
    [{ attribute: 'email', op: 'is_set', value: true }, 'Has an email'],
    [{ attribute: 'has_email', op: 'eq', value: false }, 'Has no email'],
    [{ attribute: 'campaign', op: 'eq', value: 'campaign_1' }, 'Campaign is Spring'],
    [{ attribute: 'campaign', op: 'is_set', value: false }, 'Is in no campaign'],
    [{ attribute: 'source', op: 'eq', value: 'manual' }, 'Source is Added manually'],
    [{ attribute: 'phone_country', op: 'eq', value: 'DE' }, 'Phone country is Germany'],
    // Midnight in the time zone of the workspace.
    [
      { attribute: 'created_at', op: 'gte', value: '2026-10-31T23:00:00.000Z' },
      'Created is on or after Nov 1, 2026',
    ],
    [
      { attribute: 'fields.renewal_date', op: 'lt', value: '2026-11-01' },
      'Renewal date is before Nov 1, 2026',
    ],
    // A field that was deleted, and a period that the builder cannot edit.
    [{ attribute: 'fields.gone', op: 'eq', value: 'x' }, 'Gone is x'],
    [{ attribute: 'created_at', op: 'within_last', value: 'P1W' }, 'Created is in the last week'],
    [{ attribute: 'created_at', op: 'within_last', value: 'P1Y2M' }, 'Created is in the last P1Y2M'],
    [{ all: [] }, 'All contacts'],
  ];
  for (const [tree, sentence] of sentences)
    it(`${JSON.stringify(tree)} is “${sentence}”`, () => assert.equal(inWords(tree), sentence));

  it('Every operator that is offered has words of its own', () => {
    for (const attribute of attributes.values()) {
      const labels = opsOf(attribute).map((op) => opLabel(attribute, op));
      assert.deepEqual(
        labels.filter((label, at) => label === '' || /[{_!]/.test(label) || labels.indexOf(label) !== at),
        [],
        attribute.name,
      );
    }
  });

  it('A period is a number of hours, days, weeks or months', () => {
    for (const text of ['P30D', 'P2W', 'P6M', 'PT12H'])
      assert.equal(periodText(parsePeriod(text) ?? { count: 0, unit: 'D' }), text);
    for (const text of ['P1Y', 'PT5M', '30', '', undefined]) assert.equal(parsePeriod(text), undefined);
  });
});

describe('A filter in the builder', () => {
  const kept: readonly FilterTree[] = [
    { all: [gold, soon, { not: recent }] },
    { any: [gold, { all: [soon, { not: { any: [recent, gold] } }] }] },
    { not: { any: [gold, soon] } },
    { not: { all: [gold, soon] } },
    { all: [{ attribute: 'email', op: 'is_set', value: false }] },
    { all: [{ not: { attribute: 'tag', op: 'in', value: ['a', 'b'] } }] },
    { all: [{ attribute: 'fields.insured', op: 'eq', value: false }] },
    { all: [{ attribute: 'fields.balance', op: 'eq', value: 0 }] },
  ];
  for (const tree of kept)
    it(`${JSON.stringify(tree)} is the same after it was opened`, () =>
      assert.deepEqual(treeOf(draftGroup(tree)), tree));

  it('Equal filters get one form', () => {
    const forms: readonly (readonly [FilterTree, FilterTree | undefined])[] = [
      [gold, { all: [gold] }],
      [{ not: gold }, { all: [{ ...gold, op: 'ne' }] }],
      [{ not: { not: gold } }, { all: [gold] }],
      [{ attribute: 'email', op: 'is_set' }, { all: [{ attribute: 'email', op: 'is_set', value: true }] }],
      [
        { not: { attribute: 'email', op: 'is_set', value: false } },
        { all: [{ attribute: 'email', op: 'is_set', value: true }] },
      ],
      [{ all: [] }, undefined],
    ];
    for (const [tree, form] of forms) assert.deepEqual(treeOf(draftGroup(tree)), form, JSON.stringify(tree));
  });

  it('Rows without a value, and groups without complete rows, are not part of the filter', () => {
    const draft = draftGroup({ all: [gold, { any: [soon] }] });
    const group = draft.members[1];
    assert.ok(group && 'members' in group);
    const [row] = group.members;
    assert.ok(row && !('members' in row));
    const incomplete = replaceDraft(draft, row.id, { ...row, value: '' });
    assert.deepEqual(treeOf(incomplete), { all: [gold] });
    assert.equal(isUnfinished(incomplete), true);
    assert.equal(isUnfinished(draft), false);
    assert.equal(isUnfinished(blankCondition()), false, 'a row without an attribute says what is missing');
    assert.equal(rowCount(incomplete), 2);
    assert.deepEqual(treeOf(replaceDraft(draft, group.id, undefined)), { all: [gold] });
    assert.equal(treeOf({ ...draft, members: [blankCondition()] }), undefined);
  });

  it('A filter above the limits of the service is not sent', () => {
    const nested = (levels: number): FilterTree => (levels === 0 ? gold : { all: [nested(levels - 1)] });
    assert.equal(isWithinLimits(nested(5)), true);
    assert.equal(isWithinLimits(nested(6)), false);
    assert.equal(isWithinLimits({ not: nested(4) }), true);
    assert.equal(isWithinLimits({ not: nested(5) }), false);
    assert.equal(isWithinLimits({ all: Array.from({ length: 50 }, () => gold) }), true);
    assert.equal(isWithinLimits({ all: Array.from({ length: 51 }, () => gold) }), false);
  });
});

describe('A filter in the address', () => {
  const treeIn = (address: string): FilterTree | undefined =>
    parseFilter(withFilter(parseContactsSearch(Object.fromEntries(new URLSearchParams(address)))).filter);

  it('Is read as it was written', () => {
    const tree = { all: [gold, { not: { any: [soon, recent] } }] };
    assert.deepEqual(treeIn(new URLSearchParams({ filter: JSON.stringify(tree) }).toString()), tree);
  });

  it('Is ignored if it is not a filter', () => {
    const texts = [
      'x',
      '[]',
      '{}',
      '{"all":1}',
      '{"attribute":"tag"}',
      '{"not":{"all":[null]}}',
      '1',
      '{"all":[{',
    ];
    const deep = `${'{"all":['.repeat(50)}${']}'.repeat(50)}`;
    for (const filter of [...texts, deep])
      assert.equal(treeIn(new URLSearchParams({ filter }).toString()), undefined, filter);
  });

  it('Parameters of links and of former versions become part of it', () => {
    const condition = (attribute: string, op: string, value: unknown) => ({ attribute, op, value });
    const cases: Readonly<Record<string, readonly object[]>> = {
      'tag=vip': [condition('tag', 'eq', 'vip')],
      'tags=a,b': [condition('tag', 'in', ['a', 'b'])],
      'tags=a,b&tags_match=all': [condition('tag', 'eq', 'a'), condition('tag', 'eq', 'b')],
      'source=api&company=Acme': [condition('source', 'eq', 'api'), condition('company', 'eq', 'Acme')],
      'campaign=c&import=i': [condition('campaign', 'eq', 'c'), condition('import', 'eq', 'i')],
      'email=yes&named=no': [condition('email', 'is_set', true), condition('name', 'is_set', false)],
      'enrolled=no': [condition('campaign', 'is_set', false)],
      'called=yes': [condition('last_activity_at', 'is_set', true)],
      'created=7d': [condition('created_at', 'within_last', 'P7D')],
      'activity=today': [condition('last_activity_at', 'within_last', 'P1D')],
    };
    for (const [address, all] of Object.entries(cases)) assert.deepEqual(treeIn(address), { all }, address);
    const filter = encodeURIComponent(JSON.stringify({ any: [gold, soon] }));
    assert.deepEqual(treeIn(`tag=vip&filter=${filter}`), {
      all: [condition('tag', 'eq', 'vip'), { any: [gold, soon] }],
    });
    const [from, to] = conditionsIn(treeIn('activity=2026-01-03..2026-01-04'));
    assert.equal(Date.parse(String(to?.value)) - Date.parse(String(from?.value)), 2 * 86_400_000);
  });
});
