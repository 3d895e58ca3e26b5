import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { campaignApi } from '../kit/fixtures/campaigns.ts';
import { canaries, canary, charactersOf, findInFiles, makeCanaryFields } from '../kit/fixtures/canaries.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { nationalFormat } from '../kit/fixtures/legacy-contacts.ts';
import { mergeApi } from '../kit/fixtures/merges.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import type { TestService } from '../kit/service/test-service.ts';
import { sendEvent, startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const COLUMNS = ['first_name', 'last_name', 'display_name', 'email', 'company', 'notes'] as const;

/** A file with one contact, its number in national format, and a column that maps to no field. */
const csvOf = (phone: string, fields: ReturnType<typeof canaries>, extra: string): string =>
  [
    ['phone_number', ...COLUMNS, 'tags', 'plan', 'story', 'Shoe size'],
    [
      nationalFormat(phone),
      ...COLUMNS.map((name) => fields[name]),
      fields.tags.join(';'),
      ...Object.values(fields.fields),
      extra,
    ],
  ]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    .join('\n');

interface ImportedContact {
  readonly id: string;
  /** The imports that created and changed the contact. */
  readonly imports: readonly [string, string];
  /** The texts that must be erased with it. */
  readonly texts: readonly string[];
}

const sendCrmEvent = async (service: TestService, owner: DashboardUser, body: object) => {
  const { id, secret } = (await owner.call('POST', '/integrations', { name: 'crm' })).body.data;
  const sent = await service.post(`/hooks/contacts/${id}`, body, { key: secret });
  assert.ok(sent.status < 300, sent.text);
};

/** A call whose result is reported twice, with a transcript, notes and tags, and a message. */
const reportCalls = async (
  service: TestService,
  owner: DashboardUser,
  { line, phone, said }: { line: TestChannel; phone: string; said: readonly string[] },
) => {
  const settings = { dispositions: [], field_rules: [], transcript_days: 30 };
  assert.equal((await owner.call('PUT', '/call-settings', settings)).status, 200);
  const report = async (event: object) => {
    const sent = await sendEvent(service, line, { direction: 'outbound', number: phone, ...event });
    assert.equal(sent.status, 200, sent.text);
    return sent.body.data.id;
  };
  const call = { type: 'call', provider_id: 'one' };
  const recording_url = `https://example.com/${said[2]}`;
  await report({ ...call, summary: said[0], data: { said: said[1] }, recording_url });
  const id = await report({ ...call, summary: said[3], data: { said: said[4] } });
  await report({ type: 'message', provider_id: 'two', text: said[5] });
  const turns = [{ speaker: 'caller', text: said[6], at: null }];
  assert.equal((await owner.call('PUT', `/calls/${id}/transcript`, { turns })).status, 200);
  for (const remarks of [
    { note: said[7], tags: [said[8]] },
    { note: said[9], tags: [said[10]] },
  ])
    assert.equal((await owner.call('PATCH', `/calls/${id}`, remarks)).status, 200);
};

/** A contact that one import has created and another one changed, that a third one would change, with a call, an
 *  enrollment, whose variable and the contact's plan its runtime gets as text, and CRM ids. The updates by the CRM and the bulk job keep
 *  the import from being undone. */
const makeImportedContact = async (
  service: TestService,
  owner: DashboardUser,
  { withCrm }: { withCrm: boolean },
): Promise<ImportedContact> => {
  const phone = newPhone();
  const made = async (path: string, body: object) => {
    const reply = await owner.call('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data;
  };
  const [created, changed, planned] = [canaries(), canaries(), canaries()];
  const [slot = '', ...extras] = Array.from({ length: 7 }, canary);
  const overwrite = { on_existing: 'overwrite', tags: 'replace' };
  const first = await planCsv(owner, csvOf(phone, created, extras[0] ?? ''));
  await applyImport(owner, first.id);
  const second = await planCsv(owner, csvOf(phone, changed, extras[1] ?? ''), overwrite);
  await applyImport(owner, second.id);
  await planCsv(owner, csvOf(phone, planned, extras[2] ?? ''), overwrite);
  const { id } = (await service.get('/v1/contacts?limit=1')).body.data[0];
  if (withCrm) {
    const ids = { crm_ids: { hubspot: extras[3] } };
    await sendCrmEvent(service, owner, { phone_number: phone, ...ids, fields: { story: extras[4] } });
    const job = { action: 'set_fields', selection: { ids: [id] }, fields: { plan: extras[5] } };
    assert.equal((await runBulkJob(owner, job)).changed, 1);
  }
  const line = await made('/channels', { kind: 'phone', name: 'Line', address: '+14155550190' });
  const event = { type: 'call', provider_id: 'one', direction: 'outbound', number: phone };
  assert.equal((await sendEvent(service, line, event)).status, 200);
  const [current, former] = [canary(), canary()];
  for (const value of withCrm ? [current, former] : []) {
    const added = await service.post(`/v1/contacts/${id}/identities`, { kind: 'external', value });
    assert.equal(added.status, 201, added.text);
    if (value === former) await service.delete(`/v1/contacts/${id}/identities/${added.body.data.id}`);
  }
  const spoken = canary();
  const said = Array.from({ length: 11 }, canary);
  await reportCalls(service, owner, { line, phone, said });
  const instructions = '{{plan}} {{slot}}';
  const agent = (await service.post('/v1/agents', { name: 'Agent', instructions })).body.data;
  await markDeployed(service.database, agent.id, 1);
  const campaign = await made('/campaigns', { name: 'Spring', agent_id: agent.id, status: 'active' });
  const contacts = [{ contact_id: id, variables: { slot } }];
  const enrolled = await owner.call('POST', `/campaigns/${campaign.id}/enrollments`, { contacts });
  assert.ok(enrolled.status < 300, enrolled.text);
  const [claim] = await (await campaignApi(service)).claims(campaign.id, { render: true });
  assert.equal(claim.instructions, `${withCrm ? extras[5] : changed.fields.plan} ${slot}`);
  const connected = await owner.call('PUT', `/channels/${line.id}/agent`, { agent_id: agent.id });
  assert.equal(connected.status, 200, connected.text);
  for (const [provider_id, number] of [
    ['one', phone],
    ['two', nationalFormat(phone)],
  ]) {
    const session = { provider_id, direction: 'inbound', number, variables: { slot: spoken } };
    const started = await startSession(service, line, session);
    assert.equal(started.status, 201, started.text);
    assert.match(started.body.data.instructions, new RegExp(` ${spoken}$`));
  }
  return {
    id,
    imports: [first.id, second.id],
    texts: [
      ...[created, changed, planned].flatMap(charactersOf),
      ...spoken,
      ...[slot, ...extras.slice(0, withCrm ? 6 : 3)].flatMap((text) => [...text]),
      ...(withCrm ? [current, former] : []).flatMap((text) => [...text]),
      ...said.flatMap((text) => [...text]),
      ...[phone.slice(1), nationalFormat(phone)],
    ],
  };
};

const UNDO = 'the undo of the import that made it';

/** Every way to delete a contact. */
const DELETE_PATHS: Record<
  string,
  (service: TestService, owner: DashboardUser, contact: ImportedContact) => Promise<void>
> = {
  'a delete': async (service, _, { id }) => {
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
  },
  'a bulk job': async (_, owner, { id }) => {
    assert.equal((await runBulkJob(owner, { action: 'delete', selection: { ids: [id] } })).changed, 1);
  },
  'a merge into another one': async (service, _, { id }) => {
    const survivor = await makeContact(service, { first_name: 'Ada' });
    await (await mergeApi(service)).merge(survivor.id, [id]);
    assert.equal((await service.delete(`/v1/contacts/${survivor.id}`)).status, 200);
  },
  [UNDO]: async (_, owner, { imports: [first, second] }) => {
    assert.equal((await undoImport(owner, second)).totals.restored, 1);
    assert.equal((await undoImport(owner, first)).totals.removed, 1);
  },
};

const makeOtherRecords = async (service: TestService) => {
  for (let at = 0; at < 60; at++)
    await makeContact(service, { first_name: `Neighbour ${at}`, tags: ['all'] });
};

/** The texts that occur in any table. */
const rowsWith = async ({ query }: TestDatabase, texts: readonly string[]): Promise<string[]> => {
  const tables = await query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const rows = tables.map(({ relname }) => `select to_json(${relname})::text as row from ${relname}`);
  const all = (await query(rows.join(' union all '))).map(({ row }) => row).join('\n');
  return texts.filter((text) => all.includes(JSON.stringify(text).slice(1, -1)));
};

/** The folder with the files of a PostgreSQL database, if it is local and readable. */
const filesOf = async ({ query }: TestDatabase): Promise<string | undefined> => {
  const [location] = await query(`select current_setting('data_directory') as folder, oid from pg_database
    where datname = current_database()`);
  const folder = join(String(location?.folder), 'base', String(location?.oid));
  try {
    return existsSync(folder) && readdirSync(folder).length > 0 ? folder : undefined;
  } catch {
    return undefined;
  }
};

for (const [path, remove] of Object.entries(DELETE_PATHS)) {
  describe(`Erasure after ${path}`, () => {
    it('No SQLite file has a byte of the contact, its CRM ids or its import rows and undo copies', async (test) => {
      const database = await databaseFor(test, 'sqlite');
      const folder = dirname(database.database.engine === 'sqlite' ? database.database.path : '');
      const service = await serviceFor(test, database);
      const owner = await signedInUser(service);
      await makeCanaryFields(service);
      await makeOtherRecords(service);
      const contact = await makeImportedContact(service, owner, { withCrm: path !== UNDO });
      const unseen = contact.texts.filter((text) => findInFiles(folder, [text]).length === 0);
      // The end of a page can split a character.
      assert.ok(unseen.length <= 3, `what is stored is found, so that the look is a real one: ${unseen}`);
      await remove(service, owner, contact);
      assert.equal((await service.get('/v1/contacts')).body.pagination.total, 60);
      await service.stop();
      assert.deepEqual(findInFiles(folder, contact.texts), []);
    });

    it('No PostgreSQL table has the contact, and no file after a vacuum', async (test) => {
      const database = await databaseFor(test, 'postgres');
      const service = await serviceFor(test, database);
      const owner = await signedInUser(service);
      await makeCanaryFields(service);
      await makeOtherRecords(service);
      const contact = await makeImportedContact(service, owner, { withCrm: path !== UNDO });
      assert.deepEqual(await rowsWith(database, contact.texts), contact.texts);
      await database.query('analyze');
      await remove(service, owner, contact);
      assert.deepEqual(await rowsWith(database, contact.texts), []);
      await service.stop();
      const folder = await filesOf(database);
      // Autovacuum's analysis can read an older snapshot for a moment, which keeps deleted rows.
      const tracesAfterVacuum = async (tries = 20): Promise<string[]> => {
        // Statistics contain samples of deleted values.
        for (const sql of ['analyze', 'vacuum full', 'checkpoint']) await database.query(sql);
        const traces = folder ? findInFiles(folder, contact.texts) : [];
        if (traces.length === 0 || tries === 0) return traces;
        await pause(250);
        return tracesAfterVacuum(tries - 1);
      };
      assert.deepEqual(await tracesAfterVacuum(), []);
    });
  });
}
