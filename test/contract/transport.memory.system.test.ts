import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

const MIB = 1_048_576;
const BUDGET = 64 * MIB;

describe('Memory for incomplete request bodies', () => {
  it('Above the memory limit large bodies return 503, and short ones are accepted', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'sqlite'));
    const part = requestBytes('POST', '/v1/agents', { body: Buffer.alloc(MIB, 0x20) }).subarray(0, -1);
    const connections: RawConnection[] = [];
    try {
      for (let buffered = 0; buffered <= BUDGET; buffered += MIB) {
        const connection = await RawConnection.open(service.url);
        connections.push(connection);
        connection.write(part);
      }
      const overBudget = await Promise.race(connections.map((connection) => connection.nextResponse()));
      assert.ok(overBudget);
      assertError(overBudget, 503, 'UNAVAILABLE');
      assert.equal(overBudget.headers.get('retry-after'), '1');
      const { status, text } = await service.post('/v1/agents', { name: 'Short', instructions: '' });
      assert.equal(status, 201, text);
      const { text: metrics } = await service.get('/metrics');
      assert.match(metrics, /^roster_requests_shed_total\{queue="bodies"\} [1-9]/m);
    } finally {
      for (const connection of connections) connection.destroy();
    }
    const raw = '{"name":"Large","instructions":""}'.padEnd(MIB, ' ');
    for (let tries = 0; ; tries++) {
      const { status } = await service.post('/v1/agents', undefined, { raw });
      if (status === 201) break;
      assert.ok(tries < 100, 'the memory is not released');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('A body of many tiny chunks is buffered in order in one buffer', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'sqlite'));
    const notes = 'abcdefghij'.repeat(200);
    const body = JSON.stringify({ phone_number: '+12025550100', notes });
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('');
    const head = requestBytes('POST', '/v1/contacts', { headers });
    const reply = await sendBytes(service.url, head, `${chunks}0\r\n\r\n`);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.data.notes, notes);
  });
});
