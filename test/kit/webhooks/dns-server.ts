import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SocketAddress } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

type Records = Readonly<
  Record<string, { readonly A?: readonly string[]; readonly AAAA?: readonly string[] }>
>;

const TTL = 77;
const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const NAME_ERROR = 3;

/** The bytes of an address. */
const bytesOf = (address: string): Buffer => {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const whole = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(whole.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/** A DNS server for these records, and a hosts file with the name `intern`. */
export const startDnsServer = async (test: TestContext, records: Records) => {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const record = records[labels.join('.').toLowerCase()];
    const type = TYPES[query.readUInt16BE(at + 1) as keyof typeof TYPES];
    const answers = (record?.[type] ?? []).map((each) => {
      const data = bytesOf(each);
      const start = Buffer.alloc(12);
      start.writeUInt16BE(0xc00c, 0); // the name of the question
      start.writeUInt16BE(query.readUInt16BE(at + 1), 2);
      start.writeUInt16BE(1, 4);
      start.writeUInt32BE(TTL, 6);
      start.writeUInt16BE(data.length, 10);
      return Buffer.concat([start, data]);
    });
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (record ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, '# 10.0.0.1 intern\n10.0.0.7\tother Intern # comment\nfd00::7 intern\n\n');
  test.after(() => {
    socket.close();
    rmSync(folder, { recursive: true });
  });
  return { server: `127.0.0.1:${socket.address().port}`, hostsFile };
};
