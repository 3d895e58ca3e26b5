import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { importRows, planCsv, uploadCsv } from '../kit/imports/imports.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Long cells of an import', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });

  test('A page of rows and the report truncate long cells of columns that no field reads', async () => {
    const [long, short] = ['中'.repeat(10_000), 'n'.repeat(900)];
    const { id } = await planCsv(owner, `Phone,Other,Name\n+12025550100,${long},${short}\n`);
    const [row] = await importRows(owner, id);
    assert.deepEqual(row.cells, ['+12025550100', `${'中'.repeat(1_000)}…`, short]);
    const report = await owner.call('GET', `/imports/${id}/report.csv`);
    assert.ok(report.text.includes('中'.repeat(8_190)));
    assert.ok(!report.text.includes('中'.repeat(8_193)));
  });

  test('A page of rows contains only the beginning of a long row, cut at any character', async () => {
    const cell = `${'word '.repeat(14)}\\😀\x01`.repeat(12);
    const rows = Array.from({ length: 80 }, (_, at) =>
      [`+12025550${at + 110}`, 'x'.repeat(at), ...Array.from({ length: 25 }, () => cell)].join(','),
    );
    const { id } = await planCsv(owner, `Phone,Name\n${rows.join('\n')}\n`);
    for (const [at, row] of (await importRows(owner, id)).entries()) {
      assert.deepEqual(row.cells.slice(0, 2), [`+12025550${at + 110}`, 'x'.repeat(at)]);
      const length = JSON.stringify(row.cells).length;
      assert.ok(length > 16_300 && length < 20_000, `${length}`);
      for (const each of row.cells.slice(2)) assert.ok(cell.startsWith(each));
    }
  });

  test('Column samples are taken from the short rows among the first ones', async () => {
    const rows = `+12025550102,Long,${'x'.repeat(9_000)}\n+12025550103,Ada,short\n`;
    const { id } = await planCsv(owner, `Phone,Name,Other\n${rows}`);
    const { columns } = (await owner.call('GET', `/imports/${id}`)).body.data;
    assert.deepEqual(
      columns.map(({ samples }: { samples: string[] }) => samples),
      [['+12025550103'], ['Ada'], ['short']],
    );
  });

  test('A fourth concurrent upload by one user is refused', async () => {
    const other = await signedInUser(service, 'other@example.com');
    const file = 'Phone\n+12025550105\n';
    const headers = {
      authorization: null,
      cookie: owner.cookie,
      host: new URL(service.url).host,
      origin: service.url,
      'content-type': 'text/csv',
      'content-length': '1000000',
    };
    const connections = await Promise.all(Array.from({ length: 3 }, () => RawConnection.open(service.url)));
    for (const connection of connections) {
      connection.write(requestBytes('POST', '/v1/imports?name=x', { headers }));
      connection.write(Buffer.from(file));
    }
    await pause(200);
    const reply = await uploadCsv(owner, file);
    assert.match(assertError(reply, 429, 'RATE_LIMITED').message, /^You have 3 uploads open/);
    assert.equal(reply.headers.get('retry-after'), '5');
    const columns = await owner.call('POST', '/imports/columns', undefined, {
      raw: file,
      headers: { 'content-type': 'text/csv' },
    });
    assertError(columns, 429, 'RATE_LIMITED');
    assert.equal((await uploadCsv(other, file)).status, 201, 'others are not limited by it');
    for (const connection of connections) connection.destroy();
    for (let tries = 0; (await uploadCsv(owner, file)).status !== 201; tries++) {
      assert.ok(tries < 100, 'an upload that has ended makes room');
      await pause(20);
    }
  });
});
