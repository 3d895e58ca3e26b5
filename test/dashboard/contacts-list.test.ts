import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { queryClient } from '../../dashboard/src/api/query.ts';
import type { Contact } from '../../dashboard/src/api/types.gen.ts';
import { filterBody, filterQuery, sortQuery } from '../../dashboard/src/pages/contacts/list/query.ts';
import {
  type AllThatMatch,
  bulkSelectionOf,
  countOf,
  limitOf,
  none,
  reselect,
  selectedOn,
} from '../../dashboard/src/pages/contacts/list/selection.ts';
import type { ContactFilters } from '../../dashboard/src/pages/contacts/list/url-params.ts';

/** The parameters of the service for each filter in the address. */
const FILTERS: Record<
  keyof ContactFilters,
  readonly [value: string, query: Record<string, string>, body?: Record<string, unknown>]
> = {
  search: ['ada', { search: 'ada' }],
  tag: ['vip', { tag: 'vip' }],
  tags: ['a,b', { has_tag: 'a,b' }, { has_tag: ['a', 'b'] }],
  tags_match: ['all', { has_tag_match: 'all' }],
  source: ['api', { source: 'api' }],
  company: ['Acme', { company: 'Acme' }],
  campaign: ['campaign_1', { campaign: 'campaign_1' }],
  import: ['import_1', { import: 'import_1' }],
  created: [
    '2026-11-01..2026-11-02',
    { created_since: '2026-11-01T00:00:00.000Z', created_before: '2026-11-03T00:00:00.000Z' },
  ],
  activity: ['2026-11-01..', { last_activity_since: '2026-11-01T00:00:00.000Z' }],
  email: ['yes', { has_email: 'true' }, { has_email: true }],
  named: ['no', { has_name: 'false' }, { has_name: false }],
  enrolled: ['yes', { in_campaign: 'true' }, { in_campaign: true }],
  called: ['no', { called: 'false' }, { called: false }],
};

const given = (query: object) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

const contact = (id: string, created_at = '2026-11-01T00:00:00.000Z') => ({ id, created_at }) as Contact;
const page = ['a', 'b', 'c'].map((id) => contact(id));

describe('The list of contacts', () => {
  it('Each filter is sent as the parameter, and in a bulk job as the field, that the service documents', () => {
    queryClient.setQueryData(['/settings', null, null], { data: { time_zone: 'UTC' } });
    const { paths, components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const parameters = new Set<string>(
      paths['/v1/contacts'].get.parameters.map(({ name }: { name: string }) => name),
    );
    const fields = new Set(Object.keys(components.schemas.ContactFilter.properties));
    for (const [name, [value, query, body = query]] of Object.entries(FILTERS)) {
      const search: ContactFilters = { [name]: value };
      assert.deepEqual(given(filterQuery(search)), query, name);
      assert.deepEqual(filterBody(search), body, name);
      assert.deepEqual(
        Object.keys(query).filter((each) => !parameters.has(each) || !fields.has(each)),
        [],
        name,
      );
    }
    assert.deepEqual(filterBody({}), {});
  });

  it('The order by last contact is that of calls and messages', () => {
    assert.deepEqual(
      ['last_contact_at', '-last_contact_at', 'name'].map((sort) => sortQuery(sort as 'name')),
      ['last_activity_at', '-last_activity_at', 'name'],
    );
  });
});

describe('A selection of contacts', () => {
  const all: AllThatMatch = {
    kind: 'all',
    filter: { tag: 'vip' },
    total: 3,
    newest: '2026-11-02T00:00:00.000Z',
    except: new Set(),
  };

  it('Picked contacts are sent by their ids', () => {
    const picked = reselect(page, none, new Set(['a', 'c']));
    assert.deepEqual(bulkSelectionOf(picked), { ids: ['a', 'c'] });
    assert.equal(countOf(picked), 2);
  });

  it('All matching contacts are sent by the filter, without those that were deselected', () => {
    const chosen = reselect(page, all, new Set(['a', 'c']));
    assert.deepEqual(bulkSelectionOf(chosen), {
      filter: { tag: 'vip' },
      except: ['b'],
      created_until: '2026-11-02T00:00:00.000Z',
    });
    assert.equal(countOf(chosen), 2);
    assert.deepEqual([...selectedOn(page, chosen)], ['a', 'c']);
    const again = reselect(page, chosen, new Set(['a', 'b', 'c']));
    assert.equal(countOf(again), 3);
  });

  it('A contact that was created after the selection is not part of it', () => {
    const later = contact('d', '2026-11-03T00:00:00.000Z');
    assert.deepEqual([...selectedOn([...page, later], all)], ['a', 'b', 'c']);
    const chosen = reselect([...page, later], all, new Set(['a', 'b', 'c']));
    assert.equal(countOf(chosen), 3);
  });

  it('Nothing is selected after every contact was deselected', () => {
    assert.equal(reselect(page, all, new Set()), none);
  });

  it('A selection that the service would refuse is named before it is sent', () => {
    const ids = (count: number) => new Set(Array.from({ length: count }, (_, at) => String(at)));
    assert.equal(limitOf({ kind: 'picked', ids: ids(5_000) }), undefined);
    assert.match(limitOf({ kind: 'picked', ids: ids(5_001) }) ?? '', /at most 5,000 contacts/);
    assert.equal(limitOf({ ...all, total: 5_000, except: ids(1_000) }), undefined);
    assert.match(limitOf({ ...all, total: 5_000, except: ids(1_001) }) ?? '', /at most 1,000 contacts/);
  });
});
