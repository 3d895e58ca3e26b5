import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DashboardUser, signedInUser } from '../../kit/dashboard/users.ts';
import { engines } from '../../kit/database/engines.ts';
import { fillContacts } from '../../kit/fixtures/large-workspace.ts';
import { countConnectionsTo } from '../../kit/http/half-open-client.ts';
import { requestBytes } from '../../kit/http/raw-connection.ts';
import { type Program, withPrograms } from '../../kit/process/program.ts';
import { clientOf } from '../kit/client.ts';
import { remoteService } from '../kit/remote-service.ts';
import { report } from '../kit/report.ts';

const DOWNLOADS_PER_USER = 3;
const CONTACTS = 2_000;
/** About 8 KB in UTF-8. */
const NOTES = '😀'.repeat(1_999);
const READ_BYTES = 16_384;
const READ_EVERY_MS = 3_000;
/** Half a MiB takes 30 seconds once the buffers of the system are full. */
const MAX_DISCONNECT_S = 60;
const MAX_GROWTH_MIB = 250;

const residentMib = ({ pid }: Program): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

/** Requests an export and reads it slowly. */
const readSlowly = (url: string, { cookie }: DashboardUser): (() => void) => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const headers = { authorization: null, cookie };
  socket.on('error', () => {});
  socket.write(requestBytes('GET', '/v1/contacts/export', { headers }));
  socket.pause();
  const timer = setInterval(() => socket.read(READ_BYTES), READ_EVERY_MS);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
};

/** Many users who each read as many exports as allowed, slowly. */
export const slowDownloads = (users: number): void => {
  for (const [engine, create] of Object.entries(engines)) {
    test(`${users * DOWNLOADS_PER_USER} exports read at 5 KB per second are cut off and use little memory on ${engine}`, async () => {
      const database = await create();
      try {
        await withPrograms(async (start) => {
          const program = start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
          const { url } = await program.ready();
          const client = clientOf(url);
          const service = remoteService(url, database, client);
          await fillContacts(database, 1, CONTACTS, NOTES);
          const readers: DashboardUser[] = [];
          for (let at = 0; at < users; at++)
            readers.push(await signedInUser(service, `reader${at}@example.com`));
          client.close();
          const idleMib = residentMib(program);
          const stops = readers.flatMap((user) =>
            Array.from({ length: DOWNLOADS_PER_USER }, () => readSlowly(url, user)),
          );
          await pause(1_000);
          const port = Number(new URL(url).port);
          const open = countConnectionsTo(port);
          const began = performance.now();
          const seconds = () => Math.round((performance.now() - began) / 1_000);
          let most = idleMib;
          while (countConnectionsTo(port) > 0 && seconds() < MAX_DISCONNECT_S) {
            most = Math.max(most, residentMib(program));
            await pause(250);
          }
          const left = countConnectionsTo(port);
          for (const stop of stops) stop();
          const logged = program.stdout.match(/the client reads too slowly/g)?.length ?? 0;
          const figures = { open, left, logged, last_s: seconds(), idle_mib: idleMib, max_mib: most };
          report(`downloads.${engine}`, figures);
          assert.equal(open, users * DOWNLOADS_PER_USER, 'all are open at first');
          assert.equal(left, 0, `${left} are not cut off after ${seconds()} s`);
          assert.equal(logged, open);
          assert.ok(most - idleMib <= MAX_GROWTH_MIB, `${idleMib} MiB before, ${most} MiB at most`);
          assert.equal((await fetch(`${url}/readyz`)).status, 200);
        });
      } finally {
        await database.drop();
      }
    });
  }
};
