import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { RELAXED } from '../kit/load/measurements.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';
import { outages, surviveOutages } from './proofs/postgres.ts';

describe('PostgreSQL outages', () => {
  it('The service loses no write and reconnects after PostgreSQL is stopped, killed or disconnected', (test) =>
    surviveOutages(test, RELAXED, [
      // The health check notices a stopped server after at most 3.05 s.
      outages.stopped(4_000),
      outages.killed(500),
      outages.ended(500),
      outages.forgotten(),
      outages.cut(500),
    ]));
});

describe('A full disk of PostgreSQL', () => {
  it('Writes are 503, and the response, the log, the metrics and the readiness say why until there is space', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'postgres'));
    const { query } = service.database;
    await query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await query('create trigger fail before insert on contacts for each row execute function fail()');
    const create = () => service.post('/v1/contacts', { phone_number: newPhone() });
    const refused = await create();
    const { message } = assertError(refused, 503, 'UNAVAILABLE');
    assert.match(message, /^The disk of the database is full\. Nothing was changed\./);
    assert.equal(refused.headers.get('retry-after'), '1');
    const ready = await service.get('/readyz');
    assert.equal(assertError(ready, 503, 'UNAVAILABLE').message, 'The disk of the database is full.');
    const { text } = await service.get('/metrics');
    assert.match(text, /^roster_database_lost\{reason="disk_full"\} 1$/m);
    assert.match(text, /^roster_requests_refused_total\{reason="disk_full"\} 1$/m);
    assert.equal((await service.get('/v1/contacts')).status, 200, 'reads are answered');
    await query('drop trigger fail on contacts');
    await eventually('it is ready again', async () => (await service.get('/readyz')).status === 200);
    assert.equal((await create()).status, 201);
    const lines = service.log.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
    assert.deepEqual(
      lines
        .filter(({ level }) => level !== 'info' && level !== 'debug')
        .map(({ message, reason, code, refused_requests }) => [message, reason, code, refused_requests]),
      [
        ['database lost', 'disk_full', '53100', undefined],
        ['database found', 'disk_full', undefined, 1],
      ],
    );
  });
});
