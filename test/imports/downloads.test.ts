import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { planCsv } from '../kit/imports/imports.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const KIB = 1_024;
const CONTACTS = 1_000;
/** About 8 KB in UTF-8: all contacts together exceed the buffers of a connection. */
const NOTES = '😀'.repeat(1_999);

/** The chunk lengths of a chunked body, as the service wrote them. */
const chunksOf = (body: string): number[] => {
  const lengths: number[] = [];
  for (let at = body.indexOf('\r\n\r\n') + 4; ; ) {
    const end = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, end), 16);
    if (!(length > 0)) return lengths;
    lengths.push(length);
    at = end + 2 + length + 2;
  }
};

onEveryEngine('Downloads', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
    await fillContacts(service.database, 1, CONTACTS, NOTES);
  });
  const open = async ({ cookie }: DashboardUser, path: string): Promise<RawConnection> => {
    const connection = await RawConnection.open(service.url);
    connection.write(requestBytes('GET', `/v1${path}`, { headers: { authorization: null, cookie } }));
    return connection;
  };
  /** The bytes of a complete chunked response. */
  const download = ({ cookie }: DashboardUser, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect({ host: hostname, port: Number(port) });
      const received: Buffer[] = [];
      socket.on('error', reject).on('data', (bytes: Buffer) => {
        received.push(bytes);
        if (!bytes.toString('latin1').endsWith('0\r\n\r\n')) return;
        socket.destroy();
        resolve(Buffer.concat(received).toString('latin1'));
      });
      socket.write(requestBytes('GET', `/v1${path}`, { headers: { authorization: null, cookie } }));
    });
  /** Starts a download without reading it. */
  const openUnread = async (user: DashboardUser, path: string): Promise<RawConnection> => {
    const connection = await open(user, path);
    connection.pause();
    return connection;
  };
  const statusOf = async (user: DashboardUser, path: string) => (await user.call('HEAD', path)).status;

  for (const format of ['csv', 'jsonl']) {
    test(`A download of contacts as ${format} is complete and sent in chunks of limited size`, async () => {
      const text = await download(owner, `/contacts/export?format=${format}`);
      const chunks = chunksOf(text);
      assert.ok(Math.max(...chunks) <= 256 * KIB, `${Math.max(...chunks)} bytes in one chunk`);
      assert.ok(Math.max(...chunks) >= 64 * KIB, 'and they are not tiny either');
      assert.equal(text.split('person').length - 1, CONTACTS);
    });
  }

  test('A download of an import is complete and sent in chunks of limited size', async () => {
    const row = (at: number) => `+1202555${String(100 + at).padStart(4, '0')},${'n'.repeat(30_000)}\n`;
    const { id } = await planCsv(
      owner,
      `Phone,Notes\n${Array.from({ length: 60 }, (_, at) => row(at)).join('')}`,
    );
    const text = await download(owner, `/imports/${id}/report.csv`);
    const chunks = chunksOf(text);
    assert.ok(Math.max(...chunks) <= 256 * KIB, `${Math.max(...chunks)} bytes in one chunk`);
    assert.equal(text.split('+1202555').length - 1, 60);
  });

  test('A fourth concurrent download by one user is refused until one of the others ends', async () => {
    const other = await signedInUser(service, 'other@example.com');
    const connections = [
      await openUnread(owner, '/contacts/export'),
      await openUnread(owner, '/contacts/export?format=jsonl'),
      await openUnread(owner, '/contacts/export?tag=all'),
    ];
    const { id } = await planCsv(owner, 'Phone\n+12025550142\n');
    await pause(200);
    for (const path of ['/contacts/export', '/contacts/export?tag=none', `/imports/${id}/report.csv`]) {
      const reply = await owner.call('GET', path);
      const { message } = assertError(reply, 429, 'RATE_LIMITED');
      assert.equal(reply.headers.get('retry-after'), '5');
      assert.match(message, /^You have 3 downloads open/);
    }
    assert.equal(await statusOf(other, '/contacts/export'), 200, 'others are not limited by it');
    connections[0]?.destroy();
    for (let tries = 0; (await statusOf(owner, `/imports/${id}/report.csv`)) !== 200; tries++) {
      assert.ok(tries < 100, 'the place of a client that has left is free again');
      await pause(20);
    }
    for (const connection of connections) connection.destroy();
  });

  test('HEAD requests and completed downloads do not count towards the download limit', async () => {
    for (let count = 0; count < 5; count++) {
      assert.equal(await statusOf(owner, '/contacts/export'), 200);
      assert.equal((await owner.call('GET', '/contacts/export?tag=none')).status, 200);
    }
  });
});
