import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { typeId } from '../../src/lib/ids.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import {
  applyImport,
  importRows,
  planCsv,
  undoImport,
  uploadCsv,
  waitForImport,
} from '../kit/imports/imports.ts';
import { type Json, KEY, onEveryEngine } from '../kit/service/test-service.ts';

const DAY_MS = 86_400_000;
const file = () => `Phone,First Name\n${newPhone()},Ada\nnothing,Bob\n`;

const changes: Record<string, { method: string; path: string; body?: Json; action: string }> = {
  apply: { method: 'POST', path: '/apply', action: 'applied' },
  undo: { method: 'POST', path: '/undo', action: 'undone' },
  replan: { method: 'PATCH', path: '', body: { on_existing: 'skip' }, action: 'planned again' },
  delete: { method: 'DELETE', path: '', action: 'deleted' },
};
/** The allowed actions in each state of an import. All others are rejected. */
const allowed: Record<string, string[]> = {
  planning: [],
  planned: ['apply', 'replan', 'delete'],
  applying: [],
  applied: ['undo', 'delete'],
  undoing: [],
  undone: ['delete'],
};
const readPaths = ['', '/rows', '/report.csv'];
const allPaths = [
  ...readPaths.map((path) => ({ method: 'GET', path, body: undefined })),
  ...Object.values(changes),
];

onEveryEngine('Import routes', (service) => {
  const query = (sql: string, ...values: string[]) => service.database.query(sql, ...values);
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  const setState = (id: string, state: string) =>
    query('update imports set state = ? where id = ?', state, id);
  const storedAt = async (id: string) => [
    await query('select * from imports where id = ?', id),
    await query('select * from import_rows where import_id = ? order by number', id),
    await query('select * from jobs where subject = ? order by kind', id),
  ];

  test('An import allows only the transitions of its state', async () => {
    const { id } = await planCsv(owner, file());
    for (const [state, possible] of Object.entries(allowed)) {
      await setState(id, state);
      const before = await storedAt(id);
      for (const [name, { method, path, body, action }] of Object.entries(changes)) {
        if (possible.includes(name)) continue;
        const reply = await owner.call(method, `/imports/${id}${path}`, body);
        const { message } = assertError(reply, 409, 'CONFLICT');
        const expected =
          state === action
            ? `The import is already ${action}.`
            : `An import that is ${state} cannot be ${action}.`;
        assert.equal(message, expected);
      }
      assert.deepEqual(await storedAt(id), before, state);
      assert.equal((await owner.call('GET', `/imports/${id}`)).body.data.state, state);
    }
    await setState(id, 'planned');
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('An import that is being deleted is not found', async () => {
    const { id } = await planCsv(owner, file());
    await setState(id, 'deleting');
    for (const { method, path, body } of allPaths) {
      assertError(await owner.call(method, `/imports/${id}${path}`, body), 404, 'NOT_FOUND');
    }
    const { data, pagination } = (await owner.call('GET', '/imports')).body;
    assert.deepEqual([data, pagination.total], [[], 0]);
    await setState(id, 'planned');
    assert.deepEqual((await owner.call('DELETE', `/imports/${id}`)).body.data, { deleted: true });
    assertError(await owner.call('GET', `/imports/${id}`), 404, 'NOT_FOUND');
  });

  test('Of concurrent and repeated apply or undo requests, exactly one succeeds', async () => {
    const { id } = await planCsv(owner, file());
    const concurrently = async (action: string) => {
      const send = () => owner.call('POST', `/imports/${id}/${action}`);
      const replies = await Promise.all(Array.from({ length: 5 }, send));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
      return waitForImport(owner, id);
    };
    const applied = await concurrently('apply');
    assert.deepEqual([applied.state, applied.totals.created], ['applied', 1]);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 1);
    assertError(await owner.call('POST', `/imports/${id}/apply`), 409, 'CONFLICT');
    const undone = await concurrently('undo');
    assert.deepEqual([undone.state, undone.totals.removed], ['undone', 1]);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 0);
    for (const action of ['apply', 'undo']) {
      assertError(await owner.call('POST', `/imports/${id}/${action}`), 409, 'CONFLICT');
    }
  });

  test('An import can be undone for 30 days and not longer', async () => {
    const { id } = await applyImport(owner, (await planCsv(owner, file())).id);
    const appliedAgo = async (ms: number) => {
      const moment = new Date(Date.now() - ms).toISOString();
      await query('update imports set applied_at = ? where id = ?', moment, id);
      const { applied_at, undo_until } = (await owner.call('GET', `/imports/${id}`)).body.data;
      assert.equal(applied_at, moment);
      assert.equal(undo_until, new Date(Date.parse(moment) + 30 * DAY_MS).toISOString());
    };
    await appliedAgo(30 * DAY_MS + 1_000);
    const late = assertError(await owner.call('POST', `/imports/${id}/undo`), 409, 'CONFLICT');
    assert.equal(late.message, 'An import can be undone for 30 days. This period is over.');
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 1);
    await appliedAgo(30 * DAY_MS - 60_000);
    assert.equal((await undoImport(owner, id)).state, 'undone');
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 0);
  });

  test('An import of another workspace gets the same answer as one that does not exist', async () => {
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const theirs = await planCsv(otherOwner, file());
    const before = await storedAt(theirs.id);
    const none = typeId('import').create();
    for (const { method, path, body } of allPaths) {
      const send = (id: string) => owner.call(method, `/imports/${id}${path}`, body);
      const there = await send(theirs.id);
      const { message } = assertError(there, 404, 'NOT_FOUND');
      assert.equal(message, 'No such import in this workspace.');
      const nothing = [
        'nothing',
        '%00',
        'import_',
        theirs.id.toUpperCase(),
        `${theirs.id}0`,
        'x'.repeat(300),
      ];
      for (const id of [none, ...nothing]) {
        assert.deepEqual(
          comparableReply(await send(id)),
          comparableReply(there),
          `${method} ${path} of ${id}`,
        );
      }
    }
    assert.deepEqual(await storedAt(theirs.id), before);
    const list = (await owner.call('GET', '/imports')).text;
    assert.equal(list.includes(theirs.id), false);
    assert.equal((await importRows(otherOwner, theirs.id)).length, 2);
  });

  test('Importing a number that only another workspace has creates a new contact', async () => {
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const number = newPhone();
    await otherOwner.request('POST', '/contacts', { phone_number: number }, 201);
    const { id, totals } = await planCsv(owner, `Phone\n${number}\n`);
    assert.deepEqual(totals, { create: 1 });
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('Import routes accept members and reject anonymous requests and keys without the scope', async () => {
    const member = await signedInUser(service, 'member@example.com', 'member');
    const { id } = await planCsv(member, file());
    const anonymous = { cookie: null, authorization: null };
    const withKey = { cookie: null, authorization: `Bearer ${KEY}` };
    for (const { method, path, body } of allPaths) {
      const send = (headers: Record<string, string | null>) =>
        owner.call(method, `/imports/${id}${path}`, body, { headers });
      assertError(await send(anonymous), 401, 'UNAUTHORIZED');
      assertError(await send(withKey), 403, 'FORBIDDEN');
    }
    const exported = await owner.call('GET', '/contacts/export', undefined, { headers: anonymous });
    assertError(exported, 401, 'UNAUTHORIZED');
    for (const path of readPaths)
      assert.equal((await member.call('GET', `/imports/${id}${path}`)).status, 200, path);
    assert.equal((await applyImport(member, id)).state, 'applied');
    assert.equal((await undoImport(member, id)).state, 'undone');
    assert.equal((await member.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('An import uses the country of the workspace, which only owners can change', async () => {
    const member = await signedInUser(service, 'member@example.com');
    const plan = async () => {
      const reply = await owner.call('POST', '/imports', undefined, { raw: 'Phone\n(202) 555-0100\n' });
      assert.equal(reply.status, 201, reply.text);
      assert.equal((await owner.call('DELETE', `/imports/${reply.body.data.id}`)).status, 200);
      return [reply.body.data.options.country, reply.body.data.totals];
    };
    assert.deepEqual(await plan(), [null, { invalid: 1 }]);
    assertError(await member.call('PATCH', '/settings', { default_country: 'US' }), 403, 'FORBIDDEN');
    for (const default_country of ['usa', 'ZZ', '', 1]) {
      assertInvalid(await owner.call('PATCH', '/settings', { default_country }), 'default_country');
    }
    const settings = { name: 'default', default_country: null, time_zone: 'UTC', time_zone_chosen: false };
    assert.deepEqual((await member.call('GET', '/settings')).body.data, settings);
    const set = await owner.call('PATCH', '/settings', { default_country: 'US' });
    assert.deepEqual(set.body.data, { ...settings, default_country: 'US' });
    assert.deepEqual(await plan(), ['US', { create: 1 }]);
    assert.equal((await owner.call('PATCH', '/settings', { default_country: null })).status, 200);
    assert.deepEqual(await plan(), [null, { invalid: 1 }]);
  });

  test('Planning an import again accepts only valid options', async () => {
    const { id } = await planCsv(owner, file());
    const before = await storedAt(id);
    for (const [body, field] of [
      [{ country: 'usa' }, 'country'],
      [{ legacy: 'perhaps' }, 'legacy'],
      [{ on_existing: 'merge' }, 'on_existing'],
      [{ mapping: [] }, 'mapping'],
      [{ mapping: { 0: null } }, 'columns'],
      [{ mapping: { 1: 'fax' } }, 'columns'],
      [{ mapping: { 2: 'email' } }, 'columns'],
      [{ mapping: { 0: 'email', Phone: 'phone_number' } }, 'columns'],
      [{ name: 'other.csv' }, 'name'],
    ] as const) {
      assertInvalid(await owner.call('PATCH', `/imports/${id}`, body), field);
    }
    assert.deepEqual(await storedAt(id), before);
    const swapped = await owner.call('PATCH', `/imports/${id}`, {
      mapping: { 0: 'first_name', 1: 'phone_number' },
    });
    assert.equal(swapped.status, 200, swapped.text);
    const { state, totals } = await waitForImport(owner, id);
    assert.deepEqual([state, totals], ['planned', { invalid: 2 }]);
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('A number that is no index is the name of a column', async () => {
    const { id } = await planCsv(owner, 'Phone,Last Name,2024\n+12025550187,Lovelace,Ada\n');
    const mapped = await owner.call('PATCH', `/imports/${id}`, { mapping: { 2024: 'first_name' } });
    assert.equal(mapped.status, 200, mapped.text);
    const { columns } = await waitForImport(owner, id);
    assert.deepEqual(
      columns.map(({ name, field }: Json) => [name, field]),
      [
        ['Phone', 'phone_number'],
        ['Last Name', 'last_name'],
        ['2024', 'first_name'],
      ],
    );
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('The rows of an import can be filtered and paginated', async () => {
    const { id } = await planCsv(owner, file());
    const rows = async (search: string) => {
      const { data, pagination } = (await owner.call('GET', `/imports/${id}/rows?${search}`)).body;
      return [data.map(({ line }: Json) => line), pagination.total];
    };
    assert.deepEqual(await rows(''), [[2, 3], 2]);
    assert.deepEqual(await rows('limit=1&offset=1'), [[3], 2]);
    assert.deepEqual(await rows('verdict=invalid'), [[3], 1]);
    assert.deepEqual(await rows('verdict=update'), [[], 0]);
    assert.deepEqual(await rows('effect=created'), [[], 0]);
    for (const [search, field] of [
      ['verdict=good', 'verdict'],
      ['effect=good', 'effect'],
      ['verdict=create&effect=created', 'effect'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['offset=-1', 'offset'],
      ['line=2', 'line'],
    ] as const) {
      assertInvalid(await owner.call('GET', `/imports/${id}/rows?${search}`), field);
    }
    for (const search of ['limit=0', 'offset=x', 'state=planned'])
      assertInvalid(await owner.call('GET', `/imports?${search}`), search.split('=')[0] as string);
    assert.equal((await owner.call('DELETE', `/imports/${id}`)).status, 200);
  });

  test('A created import returns its Location', async () => {
    const reply = await uploadCsv(owner, file(), { name: 'people.csv' });
    const { id, name } = reply.body.data;
    assert.deepEqual([reply.status, name], [201, 'people.csv']);
    assert.equal(reply.headers.get('location'), `/v1/imports/${id}`);
    const report = await owner.call('GET', `/imports/${id}/report.csv`);
    assert.equal(report.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(report.headers.get('content-disposition'), `attachment; filename="${id}.csv"`);
  });
});
