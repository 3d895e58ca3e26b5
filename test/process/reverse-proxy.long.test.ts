import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../kit/database/postgres-server.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { connectSecurely } from '../kit/http/tls-client.ts';
import { runRoster } from '../kit/process/cli.ts';
import { withPrograms } from '../kit/process/program.ts';
import { has, skipReason } from '../release/artifacts.ts';

const DOCUMENT = readFileSync(new URL('../../docs/reverse-proxy.md', import.meta.url), 'utf8');

/** The configuration that the documentation prints in a language. */
const printed = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(DOCUMENT)?.[1] ?? '';

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly roster: string;
  readonly cert: string;
  readonly key: string;
}

/** Only addresses and files are replaced. */
const nginx = (site: string, { folder, port, roster, cert, key }: Places): string[] => {
  const server = site
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/etc/ssl/roster.pem', cert)
    .replace('/etc/ssl/roster.key', key)
    .replace('http://127.0.0.1:3000', roster);
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
    http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
    uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${server}}`,
  );
  return ['nginx', '-c', file, '-e', 'stderr', '-p', folder];
};

const caddy = (site: string, { folder, port, roster, cert, key }: Places): string[] => {
  const file = join(folder, 'Caddyfile');
  const text = site
    .replace('roster.example.com {', `https://127.0.0.1:${port} {\n  tls ${cert} ${key}`)
    .replace('127.0.0.1:3000', new URL(roster).host);
  writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${text}`);
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
};

const agent = new Agent({ rejectUnauthorized: false });

const post = async (url: string, headers: Record<string, string>, body: unknown) => {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const text = (await Array.fromAsync(response as AsyncIterable<Buffer>)).join('');
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
};

/** Starts a proxy in front of a service, and runs work with the address that a browser uses. */
const behind = (
  configure: (places: Places) => string[],
  work: (base: string, service: { key: string; token: string }) => Promise<void>,
): Promise<void> =>
  withPrograms(async (start, folder) => {
    const { url: roster, signIn = '' } = await start({ TRUST_PROXY: 'true' }).ready();
    const scope = 'events:read,contacts:write,contacts:read';
    const data = { ROSTER_DATA_DIR: join(folder, 'data') };
    const made = await runRoster(data, 'key', 'create', '--name', 'proxy', '--scope', scope, '--json');
    const { key } = JSON.parse(made.stdout);
    const port = await freePort();
    const [cert, privateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const pair = makeCertificate('localhost');
    writeFileSync(cert, pair.cert);
    writeFileSync(privateKey, pair.key);
    const run = join(folder, 'proxy');
    mkdirSync(run, { mode: 0o777 });
    const [program = '', ...args] = configure({ folder: run, port, roster, cert, key: privateKey });
    const proxy: ChildProcess = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, HOME: run, XDG_CONFIG_HOME: run, XDG_DATA_HOME: run },
    });
    let errors = '';
    proxy.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const base = `https://127.0.0.1:${port}`;
    try {
      while (proxy.exitCode === null) {
        const socket = await connectSecurely(base).catch(() => undefined);
        socket?.destroy();
        if (socket) break;
        await pause(50);
      }
      assert.equal(proxy.exitCode, null, errors);
      await work(base, { key, token: signIn.split('#')[1] ?? '' });
    } finally {
      proxy.kill('SIGTERM');
      if (proxy.exitCode === null) await once(proxy, 'exit');
    }
  });

const PROXIES = { nginx: ['nginx', nginx], caddy: ['caddy', caddy] } as const;

describe('Reverse proxies', () => {
  for (const [program, [language, configure]] of Object.entries(PROXIES))
    it(
      `Sign-in, changes and streams work behind ${program} as it is documented`,
      { skip: has(program) ? false : skipReason(`${program} is not installed`) },
      () =>
        behind(
          (places) => configure(printed(language), places),
          async (base, { key, token }) => {
            const entered = await post(`${base}/dashboard/api/session/link`, { origin: base }, { token });
            assert.equal(entered.status, 200, JSON.stringify(entered.body));
            const [cookie = ''] = entered.headers['set-cookie'];
            assert.match(cookie, /; Secure/);
            const stream = request(`${base}/v1/events?after=latest`, {
              agent,
              headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
            });
            stream.end();
            const [events] = await once(stream, 'response');
            assert.equal(events.statusCode, 200);
            const created = await post(
              `${base}/v1/contacts`,
              { authorization: `Bearer ${key}` },
              { phone_number: '+14155550101' },
            );
            assert.equal(created.status, 201);
            // The event arrives while the response continues.
            for await (const chunk of events) if (String(chunk).includes('contact.created')) break;
            stream.destroy();
          },
        ),
    );

  it(
    'A bare proxy_pass of nginx gets a message that names the missing headers',
    { skip: has('nginx') ? false : skipReason('nginx is not installed') },
    () =>
      behind(
        (places) => nginx(printed('nginx').replace(/^ +(?:proxy_set|proxy_http).*\n/gm, ''), places),
        async (base, { token }) => {
          const refused = await post(`${base}/dashboard/api/session/link`, { origin: base }, { token });
          assert.equal(refused.status, 403);
          const { host } = new URL(base);
          assert.ok(
            refused.body.error.message.includes(`must send Host: ${host} and X-Forwarded-Proto: https, and`),
            refused.body.error.message,
          );
        },
      ),
  );
});
