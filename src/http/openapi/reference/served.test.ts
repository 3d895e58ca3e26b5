import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  assertValidHtml,
  captures,
  codeBlocksOf,
  sectionOf,
  tableOf,
  textOf,
} from '../../../../test/kit/http/html.ts';
import { type Json, onEveryEngine, type TestService } from '../../../../test/kit/service/test-service.ts';
import { statusOf } from '../../../lib/errors.ts';

onEveryEngine('API reference page', (service) => {
  const load = async () => {
    const reply = await service.get('/docs', { headers: { authorization: null } });
    const { body } = await service.get('/openapi.json');
    const operations = Object.entries<Json>(body.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    return { reply, page: reply.text, document: body, operations };
  };

  it('The reference is served without a key as a page that loads no other resource', async () => {
    const { reply } = await load();
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(
      reply.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
  });

  it('The reference has no script and no link to another host', async () => {
    const { page } = await load();
    assert.doesNotMatch(
      page,
      /<(?:script|link|img|iframe|object|embed|form|base)\b|\son\w+=|javascript:|@import|url\(/i,
    );
    const links = captures(page, /(?:href|src)="([^"]*)"/g).filter((link) => !link.startsWith('#'));
    assert.deepEqual([...new Set(links)], ['/openapi.json']);
    assert.deepEqual([...new Set(captures(page, /(https?:\/\/[^\s<"]*)/g))], ['http://127.0.0.1:3000']);
  });

  it('The reference is well-formed, and every anchor resolves', async () =>
    assertValidHtml((await load()).page));

  it('The reference has a section for every operation, listed in both tables of contents', async () => {
    const { page, operations } = await load();
    assert.equal(operations.length, captures(page, /(<article)/g).length);
    for (const { path, method, operation } of operations) {
      const section = sectionOf(page, operation.summary);
      assert.equal(textOf(captures(section, /<p class="endpoint">([\s\S]*?)<\/p>/g)[0] ?? ''), method + path);
      assert.ok(textOf(section).includes(operation.description.replaceAll('`', '')));
      const anchor = captures(section, /<h3 id="([^"]*)"/g)[0];
      const entries = captures(page, new RegExp(`<li><a href="#${anchor}">([\\s\\S]*?)</a>`, 'g')).map(
        textOf,
      );
      assert.deepEqual(entries, [method + operation.summary, method + operation.summary]);
    }
  });

  it('The reference describes every parameter, body field and error of every operation', async () => {
    const { page, operations } = await load();
    for (const { operation } of operations) {
      const { summary, parameters = [], requestBody, responses } = operation;
      for (const place of ['path', 'query']) {
        const names = parameters.filter((each: Json) => each.in === place).map((each: Json) => each.name);
        if (names.length === 0) continue;
        const title = place === 'path' ? 'Path parameters' : 'Query parameters';
        const shown = tableOf(page, `${summary}: ${title}`).map(([name]) => name);
        assert.deepEqual(shown, place === 'path' ? names.map((name: string) => `${name} required`) : names);
      }
      if (requestBody) {
        const { properties, required = [] } = requestBody.content['application/json'].schema;
        const names = Object.keys(properties).map((name) =>
          required.includes(name) ? `${name} required` : name,
        );
        assert.deepEqual(
          tableOf(page, `${summary}: body`).map(([name]) => name),
          names,
        );
      }
      const failures = Object.entries<Json>(responses).filter(([status]) => Number(status) >= 400);
      const shown = tableOf(page, `${summary}: errors`);
      assert.deepEqual(
        shown.map(([name]) => name),
        failures.map(([status, each]) => `${status} ${each.description}`),
      );
      for (const [, meaning = ''] of shown) assert.match(meaning, /^[A-Z].{20,}\.$/);
    }
  });

  it('The reference lists every error code with its status', async () => {
    const { page } = await load();
    const shown = tableOf(page, 'All error codes').map(([name]) => name);
    assert.deepEqual(
      shown,
      Object.entries(statusOf).map(([code, status]) => `${status} ${code}`),
    );
  });

  it('The reference describes limits, defaults and nulls in words', async () => {
    const { page } = await load();
    assert.deepEqual(tableOf(page, 'List contacts: Query parameters').slice(0, 2), [
      ['limit', 'integer', 'Maximum number of records per page.1 to 100; default 20.'],
      ['offset', 'integer', 'Number of records to skip.At least 0; default 0.'],
    ]);
    const fields = new Map(tableOf(page, 'Create a contact: body').map(([name, ...rest]) => [name, rest]));
    assert.deepEqual(fields.get('first_name')?.[0], 'string or null');
    assert.match(fields.get('notes')?.[1] ?? '', /At most 2,000 characters\.$/);
    assert.match(fields.get('tags')?.[1] ?? '', /At most 50 items; each 1 to 64 characters\.$/);
    const lines = tableOf(page, 'Get an agent: response').map(([name, type]) => `${name}: ${type}`);
    assert.ok(lines.includes('deployed_version: object or null'));
    assert.ok(lines.includes('deployed_version.instructions: string'));
    assert.ok(lines.includes('versions[].deployment_status: string'));
  });

  it('The example responses of the reference match their schemas', async () => {
    const { page, document, operations } = await load();
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const { operation } of operations) {
      const [response] = Object.entries<Json>(operation.responses).filter(([status]) => status < '300');
      const schema = { ...response?.[1].content['application/json'].schema, components: document.components };
      const example = JSON.parse(codeBlocksOf(sectionOf(page, operation.summary))[1] ?? '');
      assert.ok(ajv.validate(schema, example), `${operation.summary}: ${ajv.errorsText()}`);
    }
  });

  it('The example commands of the reference do what their section says', async () => {
    const { page, operations } = await load();
    let record = '';
    for (const { path, method, operation } of operations.sort(byLifecycle)) {
      const [command = ''] = codeBlocksOf(sectionOf(page, operation.summary));
      const sent = await run(service, command, record);
      assert.equal(sent.method, method);
      assert.equal(
        `${sent.status}` in operation.responses && sent.status < 300,
        true,
        `${command}\n${sent.text}`,
      );
      if (method === 'POST' && !path.includes('{')) record = sent.body.data.id;
    }
  });
});

/** Sorts the operations of a resource so that they can be called in order: create first, delete last. */
const byLifecycle = (one: Json, other: Json) => {
  const rank = ({ path, method }: Json) =>
    `${path.split('/')[2]} ${['POST', 'GET', 'PATCH', 'DELETE'].indexOf(method)}`;
  return rank(one) < rank(other) ? -1 : 1;
};

/** Sends the request of a command on the page, with the id of an existing record. */
const run = async (service: TestService, command: string, record: string) => {
  const [, given, address = ''] =
    /^curl (?:-X ([A-Z]+) )?"\$ROSTER_URL([^"]*)" \\\n {2}-H "Authorization: Bearer \$ROSTER_KEY"/.exec(
      command,
    ) ?? [];
  const body = / \\\n {2}-H "Content-Type: application\/json" \\\n {2}-d '([\s\S]*)'$/.exec(command)?.[1];
  const method = given ?? (body === undefined ? 'GET' : 'POST');
  const path = address.replace(/contact_\w{26}|[0-9a-f]{8}-[0-9a-f-]{27}/, record);
  const reply = await service.call(method, path, body === undefined ? undefined : JSON.parse(body));
  return { method, ...reply };
};
