import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookRules } from '../../src/features/webhooks/webhook.url.ts';
import { createHostResolver, type ResolvedAddress } from '../../src/lib/resolve-host.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { startDnsServer } from '../kit/webhooks/dns-server.ts';
import { answer, startReceiver } from '../kit/webhooks/receiver.ts';
import { SHORT_MS, startSender } from '../kit/webhooks/sender.ts';

const NOT_PUBLIC =
  'The host has an address that is not public. Use a public host, or ask the operator to allow its network with WEBHOOK_ALLOWED_NETWORKS.';

/** A resolver that answers its calls in turn with these addresses, and the last ones to all other calls. */
const scripted = (ttl: number, ...answers: readonly (readonly string[])[]) => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<readonly ResolvedAddress[]> => {
    asked.push(host);
    const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return addresses.map((address) => ({ address, ttl }));
  };
  return { asked, resolve };
};

describe('Addresses of webhooks', () => {
  it('A host with a checked address is resolved once and called by its name', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { asked, resolve } = scripted(60, ['127.0.0.1']);
    const { send } = startSender(test, { resolve });
    for (const host of ['hooks.example', 'HOOKS.example.'])
      assert.equal((await send(`http://${host}:${receiver.port}/`)).result, 'delivered');
    assert.deepEqual(asked, ['hooks.example']);
    assert.equal(receiver.requests[1]?.headers.host, `hooks.example:${receiver.port}`);
  });

  it('A host that only has private addresses is refused before a connection', async (test) => {
    const receiver = await startReceiver(test, answer(200), { host: '0.0.0.0' });
    for (const addresses of [
      ['127.0.0.2'],
      ['10.0.0.1', '::1'],
      ['169.254.169.254'],
      ['fd00:ec2::254'],
      ['::ffff:127.0.0.2'],
      ['64:ff9b::7f00:1'],
      ['not an address'],
    ]) {
      const { send, sender } = startSender(test, scripted(0, addresses));
      const { duration_ms, ...result } = await send(`http://hooks.example:${receiver.port}/`);
      assert.deepEqual(result, { result: 'failed', status: null, error: NOT_PUBLIC, response_body: '' });
      assert.equal(sender.connections, 0);
    }
    assert.equal(receiver.connections(), 0);
  });

  it('Of several addresses only the allowed ones are connected to', async (test) => {
    const receiver = await startReceiver(test, answer(200), { host: '0.0.0.0' });
    const { send } = startSender(test, scripted(60, ['127.0.0.2', '10.0.0.1', '127.0.0.1']));
    assert.equal((await send(`http://hooks.example:${receiver.port}/`)).result, 'delivered');
    assert.deepEqual(
      receiver.requests.map(({ localAddress }) => localAddress),
      ['127.0.0.1'],
    );
  });

  it('If the first address does not accept the connection, the next one is tried', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const rules = webhookRules({ allowHttp: true, allowedNetworks: ['127.0.0.0/8'] });
    const { send } = startSender(test, { rules, ...scripted(60, ['127.0.0.3', '127.0.0.1']) });
    assert.equal((await send(`http://hooks.example:${receiver.port}/`)).result, 'delivered');
  });

  it('A host that moves from a public to a private address is refused, and its open connection is not reused', async (test) => {
    const receiver = await startReceiver(test, answer(200), { host: '0.0.0.0' });
    const { asked, resolve } = scripted(0, ['127.0.0.1'], ['127.0.0.2']);
    const { send, sender } = startSender(test, { resolve });
    const url = `http://hooks.example:${receiver.port}/`;
    assert.equal((await send(url)).result, 'delivered');
    assert.equal(asked.length, 1);
    assert.equal(sender.connections, 1);
    assert.equal((await send(url)).error, NOT_PUBLIC);
    assert.equal(asked.length, 2);
    assert.equal(receiver.requests.length, 1);
  });

  it('A host that moves to another allowed address is called there', async (test) => {
    const receiver = await startReceiver(test, answer(200), { host: '0.0.0.0' });
    const rules = webhookRules({ allowHttp: true, allowedNetworks: ['127.0.0.0/8'] });
    const { send } = startSender(test, { rules, ...scripted(0, ['127.0.0.1'], ['127.0.0.2']) });
    const url = `http://hooks.example:${receiver.port}/`;
    for (let sent = 0; sent < 3; sent++) await send(url);
    assert.deepEqual(
      receiver.requests.map(({ localAddress }) => localAddress),
      ['127.0.0.1', '127.0.0.2', '127.0.0.2'],
    );
  });

  it('A URL that the rules refuse is not called, also if it was stored under other rules', async (test) => {
    const receiver = await startReceiver(test, answer(200), { host: '0.0.0.0' });
    const rules = webhookRules({ allowHttp: false, allowedNetworks: [] });
    const strict = startSender(test, { rules });
    assert.match((await strict.send(`http://127.0.0.1:${receiver.port}/`)).error ?? '', /^Use https/);
    assert.match((await strict.send(`https://127.0.0.1:${receiver.port}/`)).error ?? '', /is not public/);
    const { send } = startSender(test);
    for (const host of ['127.0.0.2', '2130706434', '0x7f.2', '[::ffff:127.0.0.2]', '0', '[::1]'])
      assert.match((await send(`http://${host}:${receiver.port}/`)).error ?? '', /is not public/, host);
    assert.equal(receiver.connections(), 0);
    assert.equal((await send(`http://localhost:${receiver.port}/`)).result, 'delivered');
    assert.equal((await send(`http://2130706433:${receiver.port}/`)).result, 'delivered');
  });

  it('A DNS server that never answers is cut at the deadline, and an unknown host is named as such', async (test) => {
    const silent = startSender(test, { resolve: () => new Promise(() => {}) });
    const { error } = await silent.send('http://hooks.example/', { timeoutMs: 100 });
    assert.equal(error, 'The host name was not resolved within 0.1 seconds.');
    const unknown = startSender(test, {
      resolve: () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' })),
    });
    assert.equal((await unknown.send('http://hooks.example/')).error, 'The host name does not exist.');
  });
});

describe('TLS of webhooks', () => {
  const certificate = makeCertificate('hooks.example');
  const startTls = async (test: TestContext, options: { ca?: string } = {}) => {
    const receiver = await startReceiver(test, answer(200), { tls: certificate });
    const { send, sender } = startSender(test, { ...options, ...scripted(60, ['127.0.0.1']) });
    return {
      receiver,
      sender,
      send: (host: string) => send(`https://${host}:${receiver.port}/`),
    };
  };

  it('A certificate of a trusted authority for the host is accepted, by name and by address', async (test) => {
    const { receiver, sender, send } = await startTls(test, { ca: certificate.cert });
    for (const host of ['hooks.example', 'hooks.example.', '127.0.0.1', 'hooks.example'])
      assert.equal((await send(host)).result, 'delivered', host);
    assert.deepEqual(
      receiver.requests.map(({ serverName, headers }) => [serverName, headers.host?.split(':')[0]]),
      [
        ['hooks.example', 'hooks.example'],
        ['hooks.example', 'hooks.example'],
        [false, '127.0.0.1'],
        ['hooks.example', 'hooks.example'],
      ],
    );
    assert.equal(sender.connections, 2);
  });

  it('A self-signed certificate and one for another host are refused before anything is sent', async (test) => {
    const untrusted = await startTls(test);
    assert.equal(
      (await untrusted.send('hooks.example')).error,
      'The TLS certificate of the receiver is self-signed.',
    );
    const other = await startTls(test, { ca: certificate.cert });
    assert.equal(
      (await other.send('other.example')).error,
      'The TLS certificate of the receiver is for another host.',
    );
    assert.deepEqual([...untrusted.receiver.requests, ...other.receiver.requests], []);
  });

  it('A receiver without TLS and one that never finishes the handshake are failures', async (test) => {
    const plain = await startReceiver(test, answer(200));
    const { send } = startSender(test, scripted(60, ['127.0.0.1']));
    const { error } = await send(`https://hooks.example:${plain.port}/`, { timeoutMs: SHORT_MS });
    assert.equal(error, 'No connection to the receiver was established within 0.25 seconds.');
    plain.greet('HTTP/1.1 400 Bad Request\r\n\r\n');
    assert.equal(
      (await send(`https://hooks.example:${plain.port}/`)).error,
      'The TLS handshake with the receiver failed. Check that it serves https on this port.',
    );
  });
});

describe('createHostResolver', () => {
  it('Addresses come from the hosts file or from DNS, IPv4 first, with their time to live', async (test) => {
    const { server, hostsFile } = await startDnsServer(test, {
      'both.example': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
      'six.example': { AAAA: ['2001:db8::2'] },
    });
    const resolve = createHostResolver({ servers: [server], hostsFile });
    assert.deepEqual(await resolve('both.example'), [
      { address: '192.0.2.1', ttl: 77 },
      { address: '192.0.2.2', ttl: 77 },
      { address: '2001:db8::1', ttl: 77 },
    ]);
    assert.deepEqual(await resolve('six.example'), [{ address: '2001:db8::2', ttl: 77 }]);
    assert.deepEqual(await resolve('intern'), [
      { address: '10.0.0.7', ttl: 10 },
      { address: 'fd00::7', ttl: 10 },
    ]);
    await assert.rejects(resolve('none.example'), { code: 'ENOTFOUND' });
  });

  it('A DNS server that does not answer is given up after two queries', async (test) => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    test.after(() => silent.close());
    await once(silent, 'listening');
    const servers = [`127.0.0.1:${silent.address().port}`];
    const resolve = createHostResolver({ servers, hostsFile: '', queryMs: 50 });
    const result = await Promise.race([resolve('a.example').catch(({ code }) => code), sleep(2_000, 'late')]);
    assert.equal(result, 'ETIMEOUT');
  });
});
