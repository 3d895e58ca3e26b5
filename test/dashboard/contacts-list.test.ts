import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Contact } from '../../dashboard/src/api/types.gen.ts';
import {
  filterBody,
  filterQuery,
  isFiltered,
  sortQuery,
} from '../../dashboard/src/pages/contacts/list/query.ts';
import {
  type AllThatMatch,
  bulkSelectionOf,
  countOf,
  limitOf,
  none,
  reselect,
  selectedOn,
} from '../../dashboard/src/pages/contacts/list/selection.ts';

const contact = (id: string, created_at = '2026-11-01T00:00:00.000Z') => ({ id, created_at }) as Contact;
const page = ['a', 'b', 'c'].map((id) => contact(id));

describe('The list of contacts', () => {
  it('Search and filter are sent as the parameters, and in a bulk job as the fields, that the service documents', () => {
    const { paths, components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const parameters: { name: string }[] = paths['/v1/contacts'].get.parameters;
    const fields = Object.keys(components.schemas.ContactFilter.properties);
    const tree = { attribute: 'tag', op: 'eq', value: 'vip' };
    const search = { search: 'ada', filter: JSON.stringify(tree) };
    assert.deepEqual(filterQuery(search), search);
    assert.deepEqual(filterBody(search), { search: 'ada', filter: tree });
    assert.deepEqual(filterBody({}), {});
    for (const name of Object.keys(search)) {
      assert.ok(
        parameters.some((each) => each.name === name),
        name,
      );
      assert.ok(fields.includes(name), name);
    }
    assert.deepEqual([isFiltered({}), isFiltered(search)], [false, true]);
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
    filter: { search: 'vip' },
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
      filter: { search: 'vip' },
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
