import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyEngines } from '../kit/database/engines.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { fetchWithKey, type Program, withPrograms } from '../kit/process/program.ts';
import type { Json } from '../kit/service/test-service.ts';

/** Runs the printed command as a user would paste it. Without curl, sends the same request. */
const runCurl = async (command: string): Promise<Json> => {
  const run = spawnSync('sh', ['-c', `${command} --silent --show-error`], { encoding: 'utf8' });
  if (run.status === 0) return JSON.parse(run.stdout);
  assert.equal(run.status, 127, run.stderr);
  const [url = ''] = /http\S+/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]): [string, string] => [
    name as string,
    value as string,
  ]);
  const body = /-d '([^']+)'/.exec(command)?.[1] ?? null;
  return (await fetch(url, { method: 'POST', headers, body })).json();
};

const curlIn = (banner: string) => /^ +curl (?:.*\\\n)*.*$/m.exec(banner)?.[0];

/** The token of a sign-in link. */
const tokenOf = (link = ''): string => {
  const token = link.split('#')[1] ?? '';
  assert.match(token, /^rl_[0-9a-z]+_[\w-]{32}$/);
  return token;
};

const secretsIn = (program: Program, secrets: readonly (string | undefined)[]) =>
  secrets.filter((secret) => secret && (program.stdout + program.stderr).includes(secret));

describe('First start', () => {
  it('A request that arrives during the start waits until it can be answered', async () => {
    await withPrograms(async (start) => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as AddressInfo;
      await new Promise((resolve) => probe.close(resolve));
      const program = start({ PORT: String(port) });
      const first = async (): Promise<number> => {
        for (;;) {
          try {
            return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
          } catch {
            await pause(5);
          }
        }
      };
      assert.equal(await first(), 200);
      await program.ready();
    });
  });

  it('A start without its port creates nothing, so that the next one still shows the key', async () => {
    await withPrograms(async (start) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const refused = start({ PORT: String((taken.address() as AddressInfo).port) });
      assert.equal(await refused.exit(), 1);
      assert.match(refused.stderr, /is already in use/);
      taken.close();
      const { key, signIn } = await start().ready();
      assert.match(key ?? '', /^rk_/);
      assert.ok(signIn);
    });
  });

  it('The first start prints URLs, a key, a sign-in and a working curl command; the next one reuses them', async () => {
    await withPrograms(async (start, folder) => {
      const first = start();
      const { url, data, key, signIn, banner } = await first.ready();
      const curl = curlIn(banner);
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.equal(data, join(folder, 'data', 'roster.db'));
      assert.ok(existsSync(data));
      assert.match(key ?? '', /^rk_[0-9a-z]+_[\w-]{32}$/);
      assert.equal(signIn, `${url}/welcome#${tokenOf(signIn)}`);
      assert.match(banner, /First start: the workspace "default" was created\./);
      assert.match(banner, new RegExp(`${url}/docs`));
      assert.deepEqual(
        first.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
        [],
        'what is not a terminal gets only JSON',
      );
      assert.equal((await fetch(`${url}/docs`)).status, 200);
      assert.equal(first.stderr, '');

      const made = await runCurl(curl ?? '');
      assert.equal(made.success, true, JSON.stringify(made));
      assert.equal(made.data.phone_number, '+14155550100');
      assert.equal(made.data.first_name, 'Ada');
      assert.equal((await runCurl(curl ?? '')).error.code, 'CONFLICT');
      assert.equal(await first.stop(), 0);

      const second = start();
      const again = await second.ready();
      assert.equal(again.data, data);
      assert.deepEqual([again.key, again.signIn, curlIn(again.banner)], Array(3).fill(undefined));
      assert.doesNotMatch(second.stdout, /first start/);
      assert.deepEqual(secretsIn(second, [key, tokenOf(signIn)]), []);
      const stored = await fetchWithKey(`${again.url}/v1/contacts/${made.data.id}`, key ?? '');
      assert.equal(stored.status, 200);
      assert.equal(await second.stop(), 0);
    });
  });

  it('The first start prints a link that signs the owner in once and asks for a password', async () => {
    await withPrograms(async (start) => {
      const program = start();
      const { url, signIn, banner } = await program.ready();
      const session = `${url}/dashboard/api/session`;
      const post = (path: string, body: object) =>
        fetch(session + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const entered = await post('/link', { token: tokenOf(signIn) });
      assert.equal(entered.status, 200);
      assert.equal((await post('/link', { token: tokenOf(signIn) })).status, 401);
      const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
      const currentUser = ((await (await fetch(session, { headers: { cookie } })).json()) as Json).data;
      assert.deepEqual(
        [currentUser.role, currentUser.workspace, currentUser.must_set_password],
        ['owner', { name: 'default' }, true],
      );
      assert.ok(banner.includes(`You sign in as ${currentUser.email}.`));
      const set = await fetch(`${session}/password`, {
        method: 'PUT',
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        body: '{"new_password":"a long password"}',
      });
      assert.equal(set.status, 200);
      assert.equal((await post('', { email: currentUser.email, password: 'a long password' })).status, 200);
      const printed = program.stdout.split(tokenOf(signIn)).length - 1;
      assert.equal(printed, 1, 'the token is printed once and logged never');
      const page = await fetch(signIn ?? '', { headers: { accept: 'text/html' } });
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    });
  });

  it('Data files are readable by their owner only and contain no secret in clear text', async () => {
    await withPrograms(async (start, folder) => {
      const program = start();
      const { key, signIn } = await program.ready();
      assert.equal(await program.stop(), 0);
      assert.equal(statSync(join(folder, 'data')).mode & 0o077, 0);
      const bytes = readFileSync(join(folder, 'data', 'roster.db'), 'latin1');
      assert.equal(bytes.includes(key ?? ''), false);
      assert.equal(bytes.includes(tokenOf(signIn)), false);
    });
  });

  it('A start on PostgreSQL does not print the database password', async () => {
    const database = await emptyEngines.postgres();
    const url = new URL(database.url);
    url.password ||= 'pg-secret';
    try {
      await withPrograms(async (start) => {
        const program = start({ DATABASE_URL: url.href });
        const { key, data } = await program.ready();
        assert.match(key ?? '', /^rk_/);
        assert.match(data ?? '', /^postgres(ql)?:\/\//);
        assert.deepEqual(secretsIn(program, [url.password, url.href]), []);
        assert.equal(await program.stop(), 0);
      });
    } finally {
      await database.drop();
    }
  });

  it('ROSTER_API_KEY is accepted for the default workspace, and no key is created or printed', async () => {
    await withPrograms(async (start) => {
      const ROSTER_API_KEY = 'a-key-of-my-own-0123456789';
      const program = start({ ROSTER_API_KEY });
      const { url, key, banner, signIn } = await program.ready();
      assert.deepEqual([key, curlIn(banner)], [undefined, undefined]);
      assert.match(signIn ?? '', /\/welcome#rl_/);
      assert.deepEqual(secretsIn(program, [ROSTER_API_KEY]), []);
      const reply = await fetchWithKey(`${url}/v1/contacts`, ROSTER_API_KEY, {
        method: 'POST',
        body: '{"phone_number":"+12025550100"}',
      });
      assert.equal(reply.status, 201);
      assert.equal((await fetchWithKey(`${url}/v1/contacts`, `${ROSTER_API_KEY}x`)).status, 401);
      await program.stop();
      const without = start();
      assert.equal(
        (await fetchWithKey(`${(await without.ready()).url}/v1/contacts`, ROSTER_API_KEY)).status,
        401,
      );
    });
  });

  it('A configured owner is created, and no other sign-in is printed', async () => {
    await withPrograms(async (start) => {
      const admin = { ROSTER_ADMIN_EMAIL: 'owner@example.com', ROSTER_ADMIN_PASSWORD: 'a long password' };
      const program = start(admin);
      const { key, signIn } = await program.ready();
      assert.match(key ?? '', /^rk_/);
      assert.equal(signIn, undefined);
      assert.deepEqual(secretsIn(program, [admin.ROSTER_ADMIN_PASSWORD]), []);
    });
  });
});

describe('ROSTER_ADMIN_EMAIL of an existing user', () => {
  const admin = { ROSTER_ADMIN_EMAIL: 'owner@example.com', ROSTER_ADMIN_PASSWORD: 'a long password' };
  for (const [engine, create] of Object.entries(emptyEngines)) {
    it(`A demoted admin causes a warning at start, and a deleted one is created again, on ${engine}`, async () => {
      const database = await create();
      const users = () => database.query('select id, email, role, password from users');
      try {
        await withPrograms(async (start) => {
          const first = start({ DATABASE_URL: database.url, ...admin });
          await first.ready();
          await first.stop();
          await database.query("update users set role = 'member'");
          const before = await users();
          const second = start({
            DATABASE_URL: database.url,
            ...admin,
            ROSTER_ADMIN_PASSWORD: 'another one, long',
          });
          await second.ready();
          await second.stop();
          const warnings = second.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
          assert.equal(warnings.length, 1);
          assert.match(warnings[0] ?? '', /The user in ROSTER_ADMIN_EMAIL is not an owner/);
          assert.equal(second.stdout.includes(admin.ROSTER_ADMIN_EMAIL), false);
          assert.deepEqual(await users(), before);
          await database.query('delete from users');
          const programs = [1, 2].map(() => start({ DATABASE_URL: database.url, ...admin }));
          await Promise.all(programs.map((program) => program.ready()));
          assert.deepEqual(
            (await users()).map(({ email, role }) => [email, role]),
            [[admin.ROSTER_ADMIN_EMAIL, 'owner']],
          );
        });
      } finally {
        await database.drop();
      }
    });
  }
});

describe('Start by systemd', () => {
  it('The service reports to systemd when it is ready', async () => {
    await withPrograms(async (start, folder) => {
      const reported = join(folder, 'reported');
      writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" > ${reported}\n`, { mode: 0o755 });
      const program = start({ NOTIFY_SOCKET: '/run/notify', PATH: `${folder}:${process.env.PATH}` });
      await program.ready();
      while (!existsSync(reported) || statSync(reported).size === 0) await pause(20);
      assert.equal(readFileSync(reported, 'utf8'), '--ready\n');
      assert.equal(await program.stop(), 0);
    });
  });
});

describe('TLS', () => {
  it('TLS is served when TLS_CERT and TLS_KEY name a matching pair', async () => {
    await withPrograms(async (start, folder) => {
      const { cert, key } = makeCertificate();
      const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      writeFileSync(TLS_CERT, cert);
      writeFileSync(TLS_KEY, key);
      const program = start({ TLS_CERT, TLS_KEY, ROSTER_API_KEY: 'a-key-of-my-own-0123456789' });
      const { url } = await program.ready();
      assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
      const agent = new Agent({ ca: cert, keepAlive: false });
      const status = await new Promise((resolve, reject) => {
        const headers = { authorization: 'Bearer a-key-of-my-own-0123456789' };
        request(`${url}/v1/contacts`, { agent, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      assert.equal(status, 200);
      await assert.rejects(fetch(url.replace('https', 'http')));
      assert.equal(await program.stop(), 0);
    });
  });
});

describe('Two services starting concurrently on one empty database', () => {
  for (const [name, create] of Object.entries(emptyEngines)) {
    it(`Two services starting concurrently on ${name} share one workspace and one key`, async () => {
      const database = await create();
      try {
        await withPrograms(async (start) => {
          const programs = [start({ DATABASE_URL: database.url }), start({ DATABASE_URL: database.url })];
          const welcomes = await Promise.all(programs.map((program) => program.ready()));
          const keys = welcomes.flatMap(({ key }) => key ?? []);
          assert.equal(keys.length, 1);
          assert.equal(welcomes.filter(({ signIn }) => signIn).length, 1);
          const workspaces = await database.query('select name from workspaces');
          assert.deepEqual(
            workspaces.map((row) => row.name),
            ['default'],
          );
          for (const table of ['keys', 'users']) {
            assert.equal((await database.query(`select id from ${table}`)).length, 1, table);
          }
          const [one, two] = welcomes.map(({ url }) => url);
          const body = '{"phone_number":"+12025550100"}';
          const made = await fetchWithKey(`${one}/v1/contacts`, keys[0] as string, {
            method: 'POST',
            body,
          });
          assert.equal(made.status, 201);
          const { data } = (await made.json()) as Json;
          assert.equal((await fetchWithKey(`${two}/v1/contacts/${data.id}`, keys[0] as string)).status, 200);
          const taken = await fetchWithKey(`${two}/v1/contacts`, keys[0] as string, {
            method: 'POST',
            body,
          });
          assert.equal(taken.status, 409);
          assert.deepEqual(await Promise.all(programs.map((program) => program.stop())), [0, 0]);
        });
      } finally {
        await database.drop();
      }
    });
  }
});
