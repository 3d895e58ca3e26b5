import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, it } from 'node:test';
import { makeAgentWithVersions } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** Strings that a naive implementation would expand, escape or normalize. */
const NAUGHTY = [
  '{{notes}}',
  '{{{{',
  '}}',
  '$&',
  "$'",
  '\\n',
  '\\',
  '{{slot|x}}',
  'é',
  'é',
  '😀',
  '‮',
  '<b>',
  ' a ',
];

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** What each engine has rendered. */
const bytes: Json[] = [];

onEveryEngine('Rendered instructions', (service) => {
  before(async () => {
    await makeField(service, 'plan', 'text');
    await makeField(service, 'balance', 'number');
    await makeField(service, 'vip', 'boolean');
    await makeField(service, 'renewal', 'date');
    await makeField(service, 'slot_at', 'datetime');
  });
  const render = async (text: string, body: Json, version = 'v1') => {
    const { id } = await makeAgentWithVersions(service, text);
    return service.post(`/v1/agents/${id}/versions/${version}/render`, body);
  };
  const rendered = async (text: string, body: Json): Promise<Json> => {
    const reply = await render(text, body);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(Object.keys(reply.body.data).sort(), [
      'config',
      'holes',
      'sha256',
      'text',
      'used',
      'version',
    ]);
    const { version, config, ...rendering } = reply.body.data;
    assert.deepEqual([version.version_label, config], ['v1', {}]);
    assert.equal(rendering.sha256, sha256(rendering.text));
    return rendering;
  };

  it('A contact is named by its id, its number in any format, or described', async () => {
    const contact = await makeContact(service, {
      phone_number: '+14155550123',
      first_name: 'Ada',
      fields: { plan: 'gold' },
    });
    const text =
      'Hi {{first_name}} of {{plan}}/{{fields.plan}} {{last_name}}{{last_name}} {{ company | no one }}.';
    const expected = {
      text: 'Hi Ada of gold/gold  no one.',
      used: { first_name: 'Ada', plan: 'gold', 'fields.plan': 'gold' },
      holes: ['last_name'],
      sha256: sha256('Hi Ada of gold/gold  no one.'),
    };
    const described = { first_name: 'Ada', fields: { plan: 'gold' } };
    for (const body of [
      { contact_id: contact.id },
      { phone_number: '+1 (415) 555-0123' },
      { phone_number: '0014155550123' },
      { contact: described },
    ])
      assert.deepEqual(await rendered(text, body), expected, JSON.stringify(body));
    const read = (await service.get(`/v1/contacts/${contact.id}?include=fields`)).body.data;
    assert.deepEqual(await rendered(text, { contact: read }), expected);
    await service.delete(`/v1/contacts/${contact.id}`);
  });

  it('Values of a request come before fields, fields before the fallback, and empty values count as none', async () => {
    const contact = { first_name: 'Ada', last_name: '', fields: { plan: 'gold' } };
    const text =
      '{{first_name}} {{plan}} {{fields.plan}} {{last_name|none}} {{slot|later}} {{seats}} {{open}}';
    assert.deepEqual(
      (
        await rendered(text, {
          contact,
          variables: { first_name: 'Eve', plan: 'basic', slot: '', seats: 2, open: false },
        })
      ).text,
      'Eve basic gold none {{slot|later}} 2 false',
    );
    assert.equal(
      (await rendered(text, { contact, variables: { plan: null, first_name: '' } })).text,
      'Ada gold gold none {{slot|later}} {{seats}} {{open}}',
    );
  });

  it('Declared variables without a value are holes, or have their fallback', async () => {
    const { id } = await makeAgentWithVersions(service, 'At {{slot}}, {{ slot | any time }}, {{slto}}.');
    await service.call('PUT', `/v1/agents/${id}/variables`, { variables: [{ name: 'slot' }] });
    const reply = await service.post(`/v1/agents/${id}/versions/v1/render`, { contact: {} });
    assert.deepEqual([reply.body.data.text, reply.body.data.holes], ['At , any time, {{slto}}.', ['slot']]);
  });

  it('Times have the offset of the number, or of the workspace if its zone is unknown', async () => {
    const contact = {
      fields: { slot_at: '2026-07-01T12:00:00Z', renewal: '2026-12-24', balance: 12.5, vip: true },
      created_at: '2026-01-31T23:30:00Z',
    };
    const text = '{{slot_at}} {{renewal}} {{balance}} {{vip}} {{created_at}}';
    const of = async (phone_number?: string) =>
      (await rendered(text, { contact: { ...contact, phone_number } })).text;
    assert.equal(
      await of('+12125550123'),
      '2026-07-01T08:00:00-04:00 2026-12-24 12.5 true 2026-01-31T18:30:00-05:00',
    );
    assert.equal(
      await of('+18085550123'),
      '2026-07-01T02:00:00-10:00 2026-12-24 12.5 true 2026-01-31T13:30:00-10:00',
    );
    assert.equal(
      await of('+18005550123'),
      '2026-07-01T12:00:00+00:00 2026-12-24 12.5 true 2026-01-31T23:30:00+00:00',
    );
    await service.database.query(`update workspaces set time_zone = 'Asia/Kolkata' where name = 'default'`);
    assert.equal(
      await of('+18005550123'),
      '2026-07-01T17:30:00+05:30 2026-12-24 12.5 true 2026-02-01T05:00:00+05:30',
    );
    assert.equal(await of(), '2026-07-01T17:30:00+05:30 2026-12-24 12.5 true 2026-02-01T05:00:00+05:30');
    await service.database.query(`update workspaces set time_zone = null where name = 'default'`);
  });

  it('A text that is not saved is rendered in place of the version, again and again', async () => {
    const { id } = await makeAgentWithVersions(service, 'Stored {{plan}}');
    const contact = { phone_number: '+14155550123', fields: { plan: 'gold' } };
    for (const [instructions, text] of [
      ['Draft {{plan}}', 'Draft gold'],
      ['Other {{plan}}', 'Other gold'],
      ['', ''],
      [undefined, 'Stored gold'],
    ]) {
      const body = { contact, ...(instructions !== undefined && { instructions }) };
      const reply = await service.post(`/v1/agents/${id}/versions/v1/render`, body);
      assert.equal(reply.body.data?.text, text, reply.text);
    }
    const tooLong = { contact, instructions: 'x'.repeat(50_001) };
    assertInvalid(await service.post(`/v1/agents/${id}/versions/v1/render`, tooLong), 'instructions');
  });

  it('A value is inserted as it is and never expanded', async () => {
    for (const value of NAUGHTY) {
      const contact = await makeContact(service, {
        first_name: value,
        notes: 'secret',
        fields: { plan: value },
      });
      const text = '<{{first_name}}|{{plan}}|{{slot}}>';
      const result = await rendered(text, { contact_id: contact.id, variables: { slot: value } });
      assert.equal(result.text, `<${value}|${value}|${value}>`);
      assert.deepEqual(result.used, { first_name: value, plan: value, slot: value });
      bytes.push([service.database.database.engine, value, result]);
    }
    const ofEngine = (engine: string) => bytes.filter(([each]) => each === engine).map(([, ...rest]) => rest);
    const [sqlite, postgres] = [ofEngine('sqlite'), ofEngine('postgres')];
    if (sqlite.length > 0 && postgres.length > 0) assert.deepEqual(sqlite, postgres);
  });

  it('Lists and objects are rendered as text', async () => {
    const contact = { tags: ['vip', 'new'], crm_ids: { hubspot: '7', zoho: '9' }, source: 'api' };
    assert.equal(
      (await rendered('{{tags}}; {{crm_ids}}; {{source}}', { contact })).text,
      'vip, new; hubspot: 7, zoho: 9; api',
    );
    const empty = await rendered('{{tags}}{{crm_ids}}', { contact: {} });
    assert.deepEqual([empty.text, empty.holes], ['', ['tags', 'crm_ids']]);
  });

  it('An archived field has no value and is not spoken as it is written', async () => {
    await makeField(service, 'old', 'text');
    const contact = await makeContact(service, { fields: { old: 'x' } });
    await service.database.query(`update contact_fields set archived_at = updated_at where key = 'old'`);
    const { text, holes } = await rendered('{{old}} {{old|y}}', { contact_id: contact.id });
    assert.deepEqual([text, holes], [' y', ['old']]);
  });

  it('A request must name one contact and have valid values', async () => {
    const refused: [Json, string][] = [
      [{}, 'contact_id'],
      [{ variables: {} }, 'contact_id'],
      [{ contact_id: 'contact_00000000000000000000000000', phone_number: '+14155550123' }, 'contact_id'],
      [{ phone_number: '12' }, 'phone_number'],
      [{ phone_number: 'anonymous' }, 'phone_number'],
      [{ contact: { fields: { plan: 7 } } }, 'contact.fields.plan'],
      [{ contact: { fields: { unheard_of: 'x' } } }, 'contact.fields.unheard_of'],
      [{ contact: { nickname: 'x' } }, 'contact.nickname'],
      [{ contact: {}, variables: { Slot: 'x' } }, 'variables name'],
      [{ contact: {}, variables: { slot: {} } }, 'variables.slot'],
      [{ contact: {}, text: 'x' }, 'text'],
    ];
    for (const [body, field] of refused) assertInvalid(await render('Hi', body), field);
  });

  it('A contact, an agent or a version that does not exist gets 404', async () => {
    for (const body of [
      { contact_id: 'contact_00000000000000000000000000' },
      { contact_id: 'x' },
      { phone_number: '+14155550199' },
    ])
      assertError(await render('Hi', body), 404, 'NOT_FOUND');
    assertError(await render('Hi', { contact: {} }, 'v2'), 404, 'NOT_FOUND');
    const [one, other] = [
      await makeAgentWithVersions(service, 'a'),
      await makeAgentWithVersions(service, 'b'),
    ];
    const path = `/v1/agents/${one.id}/versions/${other.versions[0]}/render`;
    assertError(await service.post(path, { contact: {} }), 404, 'NOT_FOUND');
    await service.delete(`/v1/agents/${one.id}`);
    assertError(
      await service.post(`/v1/agents/${one.id}/versions/v1/render`, { contact: {} }),
      404,
      'NOT_FOUND',
    );
  });

  it('A key needs the scopes of agents and of contacts', async () => {
    const { id } = await makeAgentWithVersions(service, 'Hi');
    for (const scopes of ['agents:read', 'contacts:read']) {
      const key = await createScopedKey(service.database, scopes as 'agents:read');
      const reply = await service.post(`/v1/agents/${id}/versions/v1/render`, { contact: {} }, { key });
      assertError(reply, 403, 'FORBIDDEN');
    }
  });
});
