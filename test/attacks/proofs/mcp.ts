import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signedInOwner } from '../../kit/fixtures/agents.ts';
import { ALL_SCOPES, McpClient } from '../../kit/http/mcp.ts';
import { Random } from '../../kit/random.ts';
import { logLines } from '../../kit/service/health.ts';
import { type Json, onEveryEngine, type Reply } from '../../kit/service/test-service.ts';
import { type Caller, makeCaller, makeOtherCaller } from '../kit/caller.ts';
import { type Client, clientOf } from '../kit/client.ts';
import { brokenBody, mutatedBody, oddHeaders } from '../kit/mutations.ts';
import { everyNaughty } from '../kit/naughty-strings.ts';
import { validValue } from '../kit/valid-values.ts';

const MAX_BYTES = 8_192;

/** Sends generated valid and invalid calls of every tool to each engine. The endpoint is not in the OpenAPI documents, so the
 *  other suites do not call it. */
export const attackMcp = ({ requests, seed }: { requests: number; seed: string }): void => {
  onEveryEngine(`${requests} requests generated from the schemas of the tools (seed ${seed})`, (service) => {
    let client: Client;
    let caller: Caller;
    let other: Caller;
    let key: string;
    let tools: Json[];
    before(async () => {
      client = clientOf(service.url, 4);
      other = await makeOtherCaller(service, client);
      caller = await makeCaller(service, client);
      const owner = await signedInOwner(service);
      key = (await owner.request('POST', '/keys', { name: 'Attacked', scopes: ALL_SCOPES }, 201)).key;
      tools = (await new McpClient(service, key).result('tools/list')).tools;
    });
    after(() => client.close());

    const send = (body: string | Uint8Array, added: Record<string, string> = {}): Promise<Reply> =>
      client.send({
        method: 'POST',
        path: '/mcp',
        headers: {
          host: new URL(service.url).host,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...added,
        },
        body,
      });

    const argumentsOf = ({ inputSchema }: Json, random: Random): Json => {
      const { properties, required = [] } = inputSchema;
      const records = random.chance(0.8) ? caller.records : other.records;
      const ids = (kind: string) => records[kind as keyof typeof records]?.id ?? 'x';
      const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.4));
      const value = (name: string) => {
        const { anyOf, ...schema } = properties[name];
        if (name === 'id') return ids('contact');
        if (name === 'version' || name === 'from') return random.pick(['v1', 'latest', 'active']);
        return validValue(name, anyOf ? { ...schema, ...anyOf[0] } : schema, random, ids);
      };
      return Object.fromEntries(names.map((name) => [name, value(name)]));
    };

    test('No call fails in the service, exceeds the size limit or reveals another workspace', async () => {
      const random = new Random(seed);
      const findings: string[] = [];
      let succeeded = 0;
      for (let at = 0; at < requests; at++) {
        const tool = random.pick(tools);
        const valid = argumentsOf(tool, random);
        const naughty = () => random.pick(everyNaughty);
        const changed = random.chance(0.5)
          ? Object.fromEntries(
              Object.entries(valid).map(([name, value]) => [name, random.chance(0.4) ? naughty() : value]),
            )
          : valid;
        const args = random.chance(0.3) ? mutatedBody(changed, random) : changed;
        const call = {
          jsonrpc: '2.0',
          id: at,
          method: 'tools/call',
          params: { name: tool.name, arguments: args },
        };
        const message = random.chance(0.1) ? mutatedBody(call, random) : call;
        const body = random.chance(0.1) ? brokenBody(message, random) : JSON.stringify(message);
        const reply = await send(body, random.chance(0.1) ? oddHeaders(random) : {});
        const about = `request ${at}, ${tool.name} ${JSON.stringify(args)?.slice(0, 300)}: ${reply.status} ${reply.text.slice(0, 300)}`;
        if (reply.status >= 500) findings.push(about);
        // The id of a changed message may itself be large.
        if (message === call && Buffer.byteLength(reply.text) > MAX_BYTES)
          findings.push(`too large: ${about}`);
        if (/neighbour\.example/.test(reply.text)) findings.push(`another workspace: ${about}`);
        if (reply.status === 200 && !reply.text.includes('"isError":true')) succeeded++;
      }
      assert.deepEqual(findings, []);
      assert.ok(succeeded > requests / 10, `${succeeded} of ${requests} calls succeeded`);
      const failures = logLines(service).filter(({ message }) => message === 'request failed');
      assert.deepEqual(failures, []);
    });
  });
};
