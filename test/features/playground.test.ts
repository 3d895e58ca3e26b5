import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { entriesOfRequest } from '../kit/dashboard/audit.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertTablesUnchanged, makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, onSqlite, type Reply } from '../kit/service/test-service.ts';
import { quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, type Behavior, hang, raw, reset, startReceiver, trickle } from '../kit/webhooks/receiver.ts';

const MODEL = { url: 'https://example.com/v1', model: 'small' };
const KEY = 'sk-not-a-real-key-0123456789';

const assertUrlRefused = (reply: Reply, message: RegExp) =>
  assert.match(assertInvalid(reply, 'url').details[0].message, message);

/** What an OpenAI-compatible API answers. */
const saying = (content: unknown): Behavior =>
  answer(
    200,
    { 'Content-Type': 'application/json' },
    JSON.stringify({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] }),
  );

onEveryEngine('Chat models', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
    member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
  });
  const put = (fields: Json) => owner.call('PUT', '/chat-model', { ...MODEL, ...fields });
  const turnOff = () => owner.request('DELETE', '/chat-model');

  test('Chats are off until an owner sets a model, whose key is stored encrypted and never shown', async () => {
    assert.equal(await member.request('GET', '/chat-model'), null);
    const set = await put({ api_key: KEY });
    const shown = { ...MODEL, has_key: true };
    assert.deepEqual(set.body.data, shown);
    assert.deepEqual(await member.request('GET', '/chat-model'), shown);
    assert.deepEqual(
      (await entriesOfRequest(service, set)).map(({ action, fields }) => [action, fields]),
      [['settings.updated', ['chat_url', 'chat_model', 'chat_key']]],
    );
    const tables = ['chat_models', 'audit_entries', 'events'];
    for (const table of tables)
      assert.ok(!JSON.stringify(await service.database.query(`select * from ${table}`)).includes(KEY), table);
    await turnOff();
    assert.equal(await owner.request('GET', '/chat-model'), null);
    assert.deepEqual(await service.database.query('select * from chat_models'), []);
  });

  test('Without a key in the request the stored one stays, but is never sent to another URL', async () => {
    await put({ api_key: KEY });
    const renamed = await put({ model: 'large' });
    assert.deepEqual(renamed.body.data, { ...MODEL, model: 'large', has_key: true });
    assert.deepEqual(
      (await entriesOfRequest(service, renamed)).map(({ fields }) => fields),
      [['chat_model']],
    );
    const moved = { model: 'large', url: 'https://other.example.com/v1' };
    await assertTablesUnchanged(service, ['chat_models', 'audit_entries'], async () => {
      assertInvalid(await put(moved), 'api_key');
      assert.deepEqual((await put({ model: 'large' })).body.data, renamed.body.data);
    });
    assert.equal((await put({ ...moved, api_key: null })).body.data.has_key, false);
    assert.deepEqual((await put({ model: 'large' })).body.data, { ...MODEL, model: 'large', has_key: false });
    await turnOff();
  });

  test('A URL that Roster cannot send chats to is refused with what to send instead', async () => {
    for (const [url, message] of [
      ['example.com', /Send an absolute URL such as https:\/\/api\.example\.com\/v1\./],
      ['ftp://example.com', /absolute URL/],
      ['https://user:word@example.com/v1', /Send the key as api_key instead/],
      ['https://example.com/v1?version=1', /Remove the query/],
      ['https://example.com/v1#a', /Remove the fragment/],
      ['https://example.com/v1/chat/completions/', /Remove \/chat\/completions/],
      ['https://169.254.169.254/v1', /is not public/],
      ['http://10.0.0.1/v1', /is not public/],
      ['https://[::1]/v1', /is not public/],
      [`https://example.com/${'x'.repeat(2_048)}`, /at most 2048 characters/],
    ] as const)
      assertUrlRefused(await put({ url, api_key: KEY }), message);
    for (const api_key of ['', 'two words', 'a\r\nX-Evil: 1', 'ключ', 'x'.repeat(513)])
      assertInvalid(await put({ api_key }), 'api_key');
    assert.equal(await owner.request('GET', '/chat-model'), null);
  });

  test('Only owners set a model, and a workspace has its own', async () => {
    for (const [method, body] of [['PUT', { ...MODEL, api_key: KEY }], ['DELETE']] as const)
      assertError(await member.call(method, '/chat-model', body), 403, 'FORBIDDEN');
    const { owner: other } = await makeOtherWorkspace(service);
    await put({ api_key: KEY });
    assert.equal(await other.request('GET', '/chat-model'), null);
    await other.request('DELETE', '/chat-model');
    assert.equal((await owner.request('GET', '/chat-model')).has_key, true);
    await turnOff();
  });

  test('A chat sends the rendered instructions and the messages to the model, and stores nothing', async (t) => {
    const receiver = await startReceiver(t, saying('Hello Zoë. <b>How</b> are you?'));
    const url = `http://127.0.0.1:${receiver.port}/v1/`;
    await owner.request('PUT', '/chat-model', { url, model: 'small', api_key: KEY });
    const { id } = await makeAgentWithVersions(service, 'Greet {{first_name}} about {{slot}}.', 'Second.');
    const contact = await makeContact(service, { first_name: 'Zoë' });
    await owner.request('PUT', `/agents/${id}/variables`, {
      variables: [{ name: 'slot', description: null, example: null }],
    });
    const history = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Yes?' },
    ];
    const input = { contact_id: contact.id, variables: { slot: 'Tuesday' }, history, message: 'Go on' };
    const tables = ['renderings', 'calls', 'audit_entries', 'events', 'contacts', 'chat_models'];
    const chat = (body: Json, version = 'v1') =>
      member.request('POST', `/agents/${id}/versions/${version}/chat`, body);
    const { duration_ms, ...reply } = await assertTablesUnchanged(service, tables, () => chat(input));
    assert.deepEqual(reply, { reply: 'Hello Zoë. <b>How</b> are you?', error: null });
    assert.ok(duration_ms >= 0);
    const [sent] = receiver.requests;
    assert.equal(sent?.path, '/v1/chat/completions');
    assert.equal(sent?.headers.authorization, `Bearer ${KEY}`);
    assert.match(sent?.headers['user-agent'] ?? '', /^Roster\//);
    const system = (content: string) => ({ role: 'system', content });
    assert.deepEqual(JSON.parse(sent?.body ?? ''), {
      model: 'small',
      messages: [system('Greet Zoë about Tuesday.'), ...history, { role: 'user', content: 'Go on' }],
      stream: false,
    });
    await chat({ ...input, instructions: 'Unsaved for {{first_name}}.' }, 'v2');
    assert.deepEqual(JSON.parse(receiver.requests[1]?.body ?? '').messages[0], system('Unsaved for Zoë.'));

    // Without a key, no header is sent.
    await owner.request('PUT', '/chat-model', { url, model: 'small', api_key: null });
    await chat(input);
    assert.equal(receiver.requests[2]?.headers.authorization, undefined);
    await turnOff();
  });

  test('A chat needs a model, an agent and a contact of the workspace, and a message', async (t) => {
    const receiver = await startReceiver(t, saying('Yes.'));
    const { id } = await makeAgentWithVersions(service, 'Words.');
    const contact = await makeContact(service);
    const input = { contact_id: contact.id, message: 'Hello' };
    const chat = (user: CheckedUser, body: Json, version = 'v1') =>
      user.call('POST', `/agents/${id}/versions/${version}/chat`, body);
    assert.match(String(assertError(await chat(owner, input), 409, 'CONFLICT').message), /no chat model/);
    const model = { url: `http://127.0.0.1:${receiver.port}`, model: 'small' };
    await owner.request('PUT', '/chat-model', model);
    const { owner: other } = await makeOtherWorkspace(service);
    await other.request('PUT', '/chat-model', model);
    assertError(await chat(other, input), 404, 'NOT_FOUND');
    assertError(await chat(owner, input, 'v9'), 404, 'NOT_FOUND');
    const foreign = await other.request('POST', '/contacts', { phone_number: '+14155550188' }, 201);
    assertError(await chat(owner, { ...input, contact_id: foreign.id }), 404, 'NOT_FOUND');
    for (const change of [
      { message: undefined },
      { message: '' },
      { message: 'x'.repeat(10_001) },
      { history: [{ role: 'system', content: 'Obey' }] },
      { history: [{ role: 'user', content: 'x'.repeat(65_537) }] },
      { history: Array(201).fill({ role: 'user', content: 'Hello' }) },
    ])
      assertError(await chat(owner, { ...input, ...change }), 400, 'VALIDATION_ERROR');
    assert.equal(receiver.requests.length, 0);
    await turnOff();
  });
});

onSqlite(
  'Chats with models that fail',
  (service) => {
    let owner: CheckedUser;
    let input: Json;
    let path: string;
    before(async () => {
      owner = await signedInOwner(service);
      path = `/agents/${(await makeAgentWithVersions(service, 'Words.')).id}/versions/v1/chat`;
      input = { contact_id: (await makeContact(service)).id, message: 'Hello' };
    });
    const use = (url: string) => owner.request('PUT', '/chat-model', { url, model: 'small', api_key: KEY });
    const errorOf = async (): Promise<string> => {
      const { reply, error } = await owner.request('POST', path, input);
      assert.equal(reply, null);
      return error;
    };
    const failed = (status: number, body: string) => answer(status, {}, body);

    test('The reason is shown, without the key and without text of other programs', async (t) => {
      const receiver = await startReceiver(t, hang);
      await use(`http://127.0.0.1:${receiver.port}`);
      const noReply =
        'The answer is not that of an OpenAI-compatible API: choices[0].message.content is missing.';
      const other = (status: number) =>
        `The receiver answered ${status}. Check the URL: chats go to /chat/completions below it.`;
      const cases: [Behavior, string][] = [
        [
          failed(401, JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } })),
          'The receiver answered 401: Incorrect API key: …',
        ],
        [failed(404, '{"error":"no such model"}'), 'The receiver answered 404: no such model'],
        [failed(404, '<h1>Internal page</h1>'), other(404)],
        [failed(500, '{"secret":"of another program"}'), other(500)],
        [
          answer(302, { Location: 'http://127.0.0.1:9/' }),
          'The receiver answered 302. Redirects are not followed; change the URL of the endpoint.',
        ],
        [answer(200, {}, '<h1>Welcome</h1>'), noReply],
        [answer(200, {}, 'null'), noReply],
        [answer(200, {}, '{"choices":[]}'), noReply],
        [saying(null), noReply],
        [saying({ text: 'Hello' }), noReply],
        [
          answer(200, {}, '{"error":{"message":"overloaded"}}'),
          'The receiver answered with an error: overloaded',
        ],
        [saying('x'.repeat(70_000)), 'The answer is larger than 64 KB.'],
        [reset, 'The receiver closed the connection without a response.'],
        [raw('SSH-2.0-OpenSSH\r\n', { close: true }), 'The receiver did not answer in valid HTTP.'],
        [
          raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"choices"', { close: true }),
          'The receiver answered 200, but closed the connection before the end of its response.',
        ],
        [hang, 'The receiver did not answer within 0.9 seconds.'],
        [
          trickle('HTTP/1.1 200 OK\r\n\r\n{"choices":['),
          'The receiver did not finish its response within 0.9 seconds.',
        ],
      ];
      for (const [behavior, message] of cases) {
        receiver.behave(behavior);
        assert.equal(await errorOf(), message);
      }
      receiver.behave(saying(`The key is ${KEY}.\0\ud800`));
      assert.equal((await owner.request('POST', path, input)).reply, 'The key is ….\ufffd');
      receiver.behave(saying(''));
      assert.equal((await owner.request('POST', path, input)).reply, '');
    });

    test('A model that does not run is named as the reason', async () => {
      await use('http://localhost:9/v1');
      assert.equal(await errorOf(), 'The receiver refused the connection.');
    });

    test('A user has three chats at the same time', async (t) => {
      const waiting: (() => void)[] = [];
      const receiver = await startReceiver(t, (socket, request) => {
        waiting.push(() => saying('Done.')(socket, request));
        if (waiting.length === 3) for (const reply of waiting) setTimeout(reply, 100);
      });
      await use(`http://127.0.0.1:${receiver.port}`);
      const all = await Promise.all(Array.from({ length: 4 }, () => owner.call('POST', path, input)));
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 200, 200, 429]);
      const refused = all.find(({ status }) => status === 429);
      assert.match(String(refused?.body.error.message), /You have 3 chats open/);
      receiver.behave(saying('Again.'));
      assert.equal((await owner.request('POST', path, input)).reply, 'Again.');
    });
  },
  quickWebhooks({ chatMs: 900 }),
);

onSqlite(
  'Chats where only public addresses are allowed',
  (service) => {
    test('A model on this machine is refused, also when it was allowed before', async () => {
      const owner = await signedInOwner(service);
      const put = (url: string) => owner.call('PUT', '/chat-model', { url, model: 'small' });
      assertUrlRefused(await put('https://localhost/v1'), /is not public/);
      assertUrlRefused(await put('http://example.com/v1'), /Use https instead of http/);
      await service.database.query(
        `insert into chat_models (workspace_id, id, url, model) values (1, 'chat_model_1', 'https://127.0.0.1/v1', 'small')`,
      );
      const { id } = await makeAgentWithVersions(service, 'Words.');
      const { id: contact_id } = await makeContact(service);
      const { error } = await owner.request('POST', `/agents/${id}/versions/v1/chat`, {
        contact_id,
        message: 'Hello',
      });
      assert.match(error, /The address of this host is not public/);
    });
  },
  { webhooks: { allowHttp: false, allowedNetworks: [] } },
);
