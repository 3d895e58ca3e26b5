import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { getContact } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { nationalFormat } from '../kit/fixtures/legacy-contacts.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { applyImport, importRows, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('List of contacts with conflicting identities', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });
  const list = async (query = ''): Promise<Json> => {
    const reply = await owner.call('GET', `/contacts/conflicts${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  /** Imports legacy contacts that display one number and are normalized to another. */
  const migrate = async (pairs: [shown: string, normalized: string][]): Promise<string[]> => {
    const rows = pairs.map(([shown, normalized]) => `${nationalFormat(shown)},${normalized}`);
    const { id } = await planCsv(owner, ['Phone,E.164', ...rows].join('\n'), { legacy: 'true' });
    await applyImport(owner, id);
    return (await importRows(owner, id)).map(({ contact_id }) => contact_id);
  };
  const resolveConflict = async (id: string, repair: Json) => {
    const reply = await service.patch(`/v1/contacts/${id}`, repair);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };

  test('The list of identity conflicts is empty at first and omits contacts whose numbers agree', async () => {
    const phone = newPhone();
    await makeContact(service);
    await migrate([[phone, phone]]);
    assert.deepEqual(await list(), {
      success: true,
      data: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false },
    });
  });

  test('Each identity conflict proposes the update that resolves it', async () => {
    const pairs: [string, string][] = [
      [newPhone(), newPhone()],
      [newPhone(), newPhone()],
    ];
    const ids = await migrate(pairs);
    const { data, pagination } = await list();
    assert.deepEqual(pagination, { total: 2, limit: 20, offset: 0, has_more: false });
    for (const [at, entry] of data.reverse().entries()) {
      const [shown, normalized] = pairs[at] as [string, string];
      const { crm_ids: _, ...contact } = await getContact(service, ids[at] as string);
      assert.equal(contact.phone_number, nationalFormat(shown));
      assert.deepEqual(entry, {
        contact,
        normalized_phone: normalized,
        repair: { phone_number: normalized, confirm_phone_change: true },
      });
    }
    for (const { contact, repair, normalized_phone } of data) {
      assert.equal((await resolveConflict(contact.id, repair)).phone_number, normalized_phone);
    }
    assert.deepEqual((await list()).data, []);
    const taken = await service.post('/v1/contacts', { phone_number: (pairs[0] as string[])[1] });
    assert.deepEqual(assertError(taken, 409, 'CONFLICT').details, { existing_contact_id: ids[0] });
  });

  test('Resolved and deleted contacts leave the list of identity conflicts', async () => {
    const shown = newPhone();
    const [one, two, three] = (await migrate([
      [shown, newPhone()],
      [newPhone(), newPhone()],
      [newPhone(), newPhone()],
    ])) as [string, string, string];
    const listed = async () => (await list()).data.map(({ contact }: Json) => contact.id);
    assert.deepEqual(await listed(), [three, two, one]);
    await resolveConflict(one, { phone_number: shown, confirm_phone_change: true });
    await resolveConflict(two, { notes: 'No decision yet.', confirm_phone_change: true });
    assert.equal((await service.delete(`/v1/contacts/${three}`)).status, 200);
    assert.deepEqual(await listed(), [two]);
    await resolveConflict(two, { phone_number: newPhone(), confirm_phone_change: true });
    assert.deepEqual(await listed(), []);
  });

  test('The list of identity conflicts is paginated and readable by members of the workspace', async () => {
    const ids = await migrate([
      [newPhone(), newPhone()],
      [newPhone(), newPhone()],
      [newPhone(), newPhone()],
    ]);
    const { data, pagination } = await list('?limit=1&offset=1');
    assert.deepEqual(pagination, { total: 3, limit: 1, offset: 1, has_more: true });
    assert.deepEqual(
      data.map(({ contact }: Json) => contact.id),
      [ids[1]],
    );
    const only = async (id: string) => {
      const { data, pagination } = await list(`?contact_id=${id}`);
      return [data.map(({ contact }: Json) => contact.id), pagination.total];
    };
    assert.deepEqual(await only(ids[2] as string), [[ids[2]], 1]);
    const { id: agreeing } = await makeContact(service);
    for (const id of [agreeing, 'nobody']) assert.deepEqual(await only(id), [[], 0]);
    assertInvalid(await owner.call('GET', '/contacts/conflicts?limit=0'), 'limit');
    const anonymous = { headers: { authorization: null } };
    assertError(await service.get('/v1/contacts/conflicts', anonymous), 401, 'UNAUTHORIZED');
    await service.database.query(
      "insert into workspaces (id, name, created_at) values (2, 'other', '2026-01-01T00:00:00.000Z')",
    );
    const other = await signedInUser(service, 'other@example.com', 'owner', 2);
    for (const query of ['', `?contact_id=${ids[0]}`]) {
      assert.equal((await other.call('GET', `/contacts/conflicts${query}`)).body.pagination.total, 0);
    }
  });
});
