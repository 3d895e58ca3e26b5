import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { makeCertificate } from '../../test/kit/http/certificate.ts';
import { ConfigError, readConfig, variables } from './config.ts';
import { readVariable, secretVariables } from './secret-variables.ts';
import { defaultThreads } from './serve-threads.ts';

const refuses = (environment: Record<string, string>, message: string) =>
  assert.throws(
    () => readConfig(environment),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(error.message, message);
      return true;
    },
  );

describe('readConfig', () => {
  it('Every setting has a default, and the configuration cannot be changed', () => {
    const config = readConfig({});
    assert.deepEqual(config, {
      port: 3000,
      host: '127.0.0.1',
      serveThreads: defaultThreads(config.database),
      database: { engine: 'sqlite', path: resolve('data/roster.db') },
      dataDir: resolve('data'),
      secretKeys: undefined,
      apiKey: undefined,
      admin: undefined,
      tls: undefined,
      drainMs: 5_000,
      logLevel: 'info',
      logClientAddress: false,
      trustProxy: 0,
      rateLimit: undefined,
      failureLimit: { quota: 60, windowMs: 60_000 },
      auditDays: 365,
      importQuota: 4_294_967_296,
      webhooks: { allowHttp: false, allowedNetworks: [] },
      eventDays: 30,
      backup: {
        schedule: undefined,
        database: config.database,
        to: undefined,
        retention: { count: undefined, days: undefined },
        recipients: [],
        passphrase: undefined,
        s3: undefined,
      },
      moveTo: undefined,
      tracing: undefined,
    });
    assert.ok(Object.isFrozen(config));
  });

  it('Every secret can be the first line of a file instead, but not both', () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-config-'));
    const values: Record<(typeof secretVariables)[number], string> = {
      DATABASE_URL: 'postgres://roster@one/roster',
      DATABASE_REPLICA_URL: 'postgres://roster@two/roster',
      MOVE_TO_DATABASE_URL: 'postgres://roster@three/roster',
      BACKUP_DATABASE_URL: 'postgres://roster@four/roster',
      ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ROSTER_API_KEY: 'a-key-of-my-own-0123456789',
      ROSTER_KEY: 'rk_1_of_a_client',
      ROSTER_ADMIN_PASSWORD: 'a long password',
      WEBHOOK_SECRET: 'not part of the configuration',
      BACKUP_PASSPHRASE: 'a long passphrase',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
    };
    const plain = { ROSTER_ADMIN_EMAIL: 'ada@example.com' };
    const files = Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const file = join(folder, name);
        writeFileSync(file, `${value}\n`);
        return [`${name}_FILE`, file];
      }),
    );
    assert.deepEqual(readConfig({ ...plain, ...files }), readConfig({ ...plain, ...values }));
    for (const name of secretVariables) {
      const file = files[`${name}_FILE`] as string;
      assert.equal(readVariable({ [`${name}_FILE`]: file }, name), values[name]);
      assert.throws(() => readVariable({ [name]: 'x', [`${name}_FILE`]: file }, name), {
        message: `Set ${name} or ${name}_FILE, not both.`,
      });
    }
    const missing = join(folder, 'missing');
    refuses({ DATABASE_URL_FILE: missing }, `Cannot read the DATABASE_URL_FILE file ${missing}.`);
    writeFileSync(missing, '\n');
    refuses(
      { DATABASE_URL_FILE: missing },
      `The DATABASE_URL_FILE file ${missing} is empty or starts with an empty line.`,
    );
    rmSync(folder, { recursive: true });
  });

  it('An empty variable counts as missing', () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
    assert.deepEqual(readConfig(empty), readConfig({}));
  });

  it('PORT is read as a port number', () => {
    for (const [text, port] of [
      ['0', 0],
      ['80', 80],
      ['65535', 65_535],
      ['00080', 80],
    ] as const) {
      assert.equal(readConfig({ PORT: text }).port, port);
    }
    for (const text of ['65536', '-1', '80.5', '8e1', '0x50', ' 80', 'http', '99999', '123456']) {
      refuses({ PORT: text }, `PORT must be a number from 0 to 65535, not ${text}.`);
    }
  });

  it('HOST is read unchanged', () => {
    assert.equal(readConfig({ HOST: '0.0.0.0' }).host, '0.0.0.0');
    assert.equal(readConfig({ HOST: '::1' }).host, '::1');
  });

  it('DATABASE_URL selects the engine and the database', () => {
    for (const [url, path] of [
      ['sqlite:some/file.db', resolve('some/file.db')],
      ['sqlite:/var/lib/roster.db', '/var/lib/roster.db'],
      ['sqlite:///var/lib/roster.db', '/var/lib/roster.db'],
      ['sqlite:./a b.db', resolve('a b.db')],
    ] as const) {
      assert.deepEqual(readConfig({ DATABASE_URL: url }).database, { engine: 'sqlite', path });
    }
    for (const url of [
      'postgres://u:p@h:5432/d',
      'postgresql://h/d',
      'postgres://h/d?sslmode=require',
      'postgres://u:p@one:5432,two:5433/d?target_session_attrs=read-write',
    ]) {
      assert.deepEqual(readConfig({ DATABASE_URL: url }).database, { engine: 'postgres', url });
    }
    const forms = 'DATABASE_URL must start with postgres:// or be sqlite: followed by a file path.';
    for (const url of ['mysql://h/d', 'sqlite:', 'sqlite://', 'data.db', 'postgres:h', 'http://h/d']) {
      refuses({ DATABASE_URL: url }, forms);
    }
    const postgres =
      'DATABASE_URL must look like postgres://user:password@host:5432/database. Separate several servers with commas: host1:5432,host2:5432.';
    for (const url of ['postgres://[/d', 'postgres://u:secret@h:99999/d', 'postgres://one,,two/d']) {
      refuses({ DATABASE_URL: url }, postgres);
    }
    refuses(
      { DATABASE_URL: 'postgres://h/d?target_session_attrs=standby' },
      'target_session_attrs in DATABASE_URL must be read-write, not standby: Roster needs a server that accepts writes.',
    );
  });

  it('DATABASE_REPLICA_URL names standbys of a PostgreSQL server', () => {
    const DATABASE_URL = 'postgres://h/d';
    for (const replicaUrl of [
      'postgres://u:p@replica:5432/d',
      'postgres://one,two/d?target_session_attrs=prefer-standby',
      'postgres://h/d?target_session_attrs=standby',
    ]) {
      const { database, backup } = readConfig({ DATABASE_URL, DATABASE_REPLICA_URL: replicaUrl });
      assert.deepEqual(database, { engine: 'postgres', url: DATABASE_URL, replicaUrl });
      assert.deepEqual(backup.database, database);
    }
    for (const replicaUrl of ['sqlite:replica.db', 'replica:5432', 'postgres://one,,two/d'])
      refuses(
        { DATABASE_URL, DATABASE_REPLICA_URL: replicaUrl },
        'DATABASE_REPLICA_URL must look like postgres://user:password@host:5432/database. Separate several servers with commas: host1:5432,host2:5432.',
      );
    refuses(
      { DATABASE_URL, DATABASE_REPLICA_URL: 'postgres://h/d?target_session_attrs=primary' },
      'target_session_attrs in DATABASE_REPLICA_URL must be standby, not primary: a replica does not accept writes.',
    );
    refuses(
      { DATABASE_REPLICA_URL: 'postgres://h/d' },
      'DATABASE_REPLICA_URL needs a DATABASE_URL that starts with postgres://. With SQLite, remove DATABASE_REPLICA_URL.',
    );
  });

  it('DATABASE_POOL_SIZE is a whole number from 4 to 200 and needs PostgreSQL', () => {
    const DATABASE_URL = 'postgres://h/d';
    for (const size of ['4', '12', '200']) {
      const { database } = readConfig({ DATABASE_URL, DATABASE_POOL_SIZE: size });
      assert.deepEqual(database, { engine: 'postgres', url: DATABASE_URL, poolSize: Number(size) });
    }
    for (const size of ['3', '201', '1000', '-4', '4.5', 'many', ' 12']) {
      refuses(
        { DATABASE_URL, DATABASE_POOL_SIZE: size },
        `DATABASE_POOL_SIZE must be a number from 4 to 200, not ${size}.`,
      );
    }
    refuses(
      { DATABASE_POOL_SIZE: '12' },
      'DATABASE_POOL_SIZE needs a DATABASE_URL that starts with postgres://. With SQLite, remove DATABASE_POOL_SIZE.',
    );
  });

  it('The database file is in ROSTER_DATA_DIR unless DATABASE_URL points elsewhere', () => {
    const ROSTER_DATA_DIR = '/srv/roster';
    const path = '/srv/roster/roster.db';
    assert.deepEqual(readConfig({ ROSTER_DATA_DIR }).database, { engine: 'sqlite', path });
    const DATABASE_URL = 'sqlite:/elsewhere.db';
    const elsewhere = { engine: 'sqlite', path: '/elsewhere.db' };
    assert.deepEqual(readConfig({ ROSTER_DATA_DIR, DATABASE_URL }).database, elsewhere);
  });

  it('ROSTER_API_KEY is read and validated', () => {
    for (const key of ['x'.repeat(16), 'x'.repeat(200), '!"#$%&/()=?{[]}~']) {
      assert.equal(readConfig({ ROSTER_API_KEY: key }).apiKey, key);
    }
    const message = 'ROSTER_API_KEY must have 16 to 200 characters without spaces.';
    for (const key of ['x'.repeat(15), 'x'.repeat(201), 'x'.repeat(16).concat(' y'), 'é'.repeat(16)]) {
      refuses({ ROSTER_API_KEY: key }, message);
    }
  });

  it('One encryption key or several are read', () => {
    const keys = [1, 2].map((each) => Buffer.alloc(32, each));
    const text = keys.map((key) => key.toString('base64'));
    assert.deepEqual(readConfig({ ROSTER_SECRET_KEY: text.join() }).secretKeys, keys);
    assert.deepEqual(readConfig({ ROSTER_SECRET_KEY: text[0] }).secretKeys, keys.slice(0, 1));
    const message =
      'ROSTER_SECRET_KEY must be 32 bytes in base64, as printed by `openssl rand -base64 32`. Separate several keys with commas, newest first.';
    for (const wrong of ['x', `${text[0]},`, `,${text[0]}`, `${text[0]},x`])
      refuses({ ROSTER_SECRET_KEY: wrong }, message);
  });

  it('The owner is read and validated', () => {
    const both = { ROSTER_ADMIN_EMAIL: 'ada@example.com', ROSTER_ADMIN_PASSWORD: 'twelve chars' };
    assert.deepEqual(readConfig(both).admin, { email: 'ada@example.com', password: 'twelve chars' });
    const together = 'ROSTER_ADMIN_EMAIL and ROSTER_ADMIN_PASSWORD must be set together.';
    refuses({ ROSTER_ADMIN_EMAIL: 'ada@example.com' }, together);
    refuses({ ROSTER_ADMIN_PASSWORD: 'twelve chars' }, together);
    for (const email of ['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@c']) {
      refuses({ ...both, ROSTER_ADMIN_EMAIL: email }, 'ROSTER_ADMIN_EMAIL must be an email address.');
    }
    refuses(
      { ...both, ROSTER_ADMIN_PASSWORD: 'eleven char' },
      'ROSTER_ADMIN_PASSWORD must have 12 to 200 characters.',
    );
  });

  it('The TLS files are read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-config-'));
    try {
      const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      writeFileSync(cert, '');
      const together = 'TLS_CERT and TLS_KEY must be set together.';
      refuses({ TLS_CERT: cert }, together);
      refuses({ TLS_KEY: key }, together);
      refuses({ TLS_CERT: cert, TLS_KEY: key }, `Cannot read the TLS_KEY file ${key}.`);
      refuses({ TLS_CERT: key, TLS_KEY: cert }, `Cannot read the TLS_CERT file ${key}.`);
      const pair = makeCertificate();
      writeFileSync(cert, pair.cert);
      writeFileSync(key, pair.key);
      assert.deepEqual(readConfig({ TLS_CERT: cert, TLS_KEY: key }).tls, { cert, key });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('WEBHOOK_ALLOWED_NETWORKS and WEBHOOK_ALLOW_HTTP are read', () => {
    const networks = '10.1.0.0/16, 192.168.1.5,fd00::/8';
    assert.deepEqual(
      readConfig({ WEBHOOK_ALLOWED_NETWORKS: networks, WEBHOOK_ALLOW_HTTP: 'true' }).webhooks,
      { allowHttp: true, allowedNetworks: ['10.1.0.0/16', '192.168.1.5', 'fd00::/8'] },
    );
    for (const text of ['true', '10.0.0.0/33', '10.0.0/8', 'localhost', '10.0.0.0/8,', 'fd00::/129'])
      refuses(
        { WEBHOOK_ALLOWED_NETWORKS: text },
        `WEBHOOK_ALLOWED_NETWORKS must be addresses and networks separated by commas, such as 10.0.0.0/8,fd00::/8, not ${text}.`,
      );
    refuses({ WEBHOOK_ALLOW_HTTP: 'maybe' }, 'WEBHOOK_ALLOW_HTTP must be true or false, not maybe.');
  });

  it('LOG_LEVEL, LOG_CLIENT_ADDRESS and TRUST_PROXY are read', () => {
    for (const level of ['debug', 'info', 'warn', 'error', 'silent']) {
      assert.equal(readConfig({ LOG_LEVEL: level }).logLevel, level);
    }
    for (const level of ['INFO', 'trace', 'constructor']) {
      refuses(
        { LOG_LEVEL: level },
        `LOG_LEVEL must be one of debug, info, warn, error, silent, not ${level}.`,
      );
    }
    for (const text of ['true', '1', 'yes', 'on', 'TRUE']) {
      assert.equal(readConfig({ TRUST_PROXY: text }).trustProxy, 1);
    }
    for (const text of ['false', '0', 'no', 'off', 'False']) {
      assert.equal(readConfig({ TRUST_PROXY: text }).trustProxy, 0);
    }
    assert.equal(readConfig({ TRUST_PROXY: '2' }).trustProxy, 2);
    const networks = '10.0.0.0/8, 192.0.2.7,2001:db8::/32';
    assert.deepEqual(readConfig({ TRUST_PROXY: networks }).trustProxy, networks.split(/, ?/));
    for (const text of [
      'maybe',
      'truely',
      '17',
      '-1',
      '1.5',
      '10.0.0.0/33',
      '2001:db8::/129',
      '10.0.0/8',
      '10.0.0.0/',
      '10.0.0.0/8,',
      '10.0.0.0/8,proxy.example',
      'fe80::1%eth0',
    ]) {
      refuses(
        { TRUST_PROXY: text },
        `TRUST_PROXY must be true, false, a number of proxies from 0 to 16, or a list of addresses and networks such as 10.0.0.0/8,2001:db8::/32, not ${text}.`,
      );
    }
    assert.equal(readConfig({ LOG_CLIENT_ADDRESS: 'true' }).logClientAddress, true);
    refuses({ LOG_CLIENT_ADDRESS: 'maybe' }, 'LOG_CLIENT_ADDRESS must be true or false, not maybe.');
  });

  it('SERVE_THREADS is read', () => {
    assert.equal(readConfig({ SERVE_THREADS: '4' }).serveThreads, 4);
    for (const text of ['0', '65', '1.5', 'all'])
      refuses({ SERVE_THREADS: text }, `SERVE_THREADS must be a number from 1 to 64, not ${text}.`);
  });

  it('DRAIN_SECONDS is read', () => {
    for (const [text, ms] of [
      ['0', 0],
      ['5', 5_000],
      ['0.25', 250],
      ['300', 300_000],
    ] as const)
      assert.equal(readConfig({ DRAIN_SECONDS: text }).drainMs, ms);
    for (const text of ['-1', '301', '300.001', '5s', '.5', '1e1', '0x10', 'none'])
      refuses(
        { DRAIN_SECONDS: text },
        `DRAIN_SECONDS must be a number from 0 to 300, such as 5 or 0.5, not ${text}.`,
      );
  });

  it('RATE_LIMIT and FAILURE_LIMIT are read', () => {
    assert.deepEqual(readConfig({ RATE_LIMIT: '600/1m' }).rateLimit, { quota: 600, windowMs: 60_000 });
    assert.deepEqual(readConfig({ FAILURE_LIMIT: '5/2h' }).failureLimit, { quota: 5, windowMs: 7_200_000 });
    for (const name of ['RATE_LIMIT', 'FAILURE_LIMIT']) {
      for (const text of ['600', '600/m', '0/1m', '1/2d', 'off']) {
        refuses(
          { [name]: text },
          `${name} must be a number from 1 to 1000000, a slash, and a time in s, m or h of up to a day, for example 600/1m, not ${text}.`,
        );
      }
    }
  });

  it('Tracing is on only with an endpoint, and reads the standard variables', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const read = (environment: Record<string, string>) => readConfig({ ...endpoint, ...environment }).tracing;
    assert.deepEqual(read({})?.sampler, { isParentBased: true, ratio: 1 });
    assert.ok(
      readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }).tracing,
    );
    assert.equal(readConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).tracing, undefined);
    assert.equal(read({ OTEL_SDK_DISABLED: 'TRUE' }), undefined);
    assert.equal(read({ OTEL_TRACES_EXPORTER: 'none' }), undefined);
    assert.ok(read({ OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }));
    for (const [name, arg, isParentBased, ratio] of [
      ['always_on', '', false, 1],
      ['always_off', '0.5', false, 0],
      ['traceidratio', '0.25', false, 0.25],
      ['traceidratio', '', false, 1],
      ['parentbased_always_off', '', true, 0],
      ['parentbased_traceidratio', '0.01', true, 0.01],
    ] as const)
      assert.deepEqual(
        read({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg })?.sampler,
        { isParentBased, ratio },
        name,
      );
    assert.equal(read({ OTEL_BSP_SCHEDULE_DELAY: '100' })?.batches.scheduledDelayMillis, 100);
  });

  it('Invalid settings of tracing are rejected', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    for (const url of ['127.0.0.1:4318', 'grpc://h:4317', 'collector'])
      refuses(
        { OTEL_EXPORTER_OTLP_ENDPOINT: url },
        `OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of an OTLP receiver, such as http://127.0.0.1:4318, not ${url}.`,
      );
    refuses(
      { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not grpc.',
    );
    for (const name of ['toString', 'jaeger_remote', 'parentbased_parentbased_always_on'])
      refuses(
        { ...endpoint, OTEL_TRACES_SAMPLER: name },
        `OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio, or one of these after parentbased_, not ${name}.`,
      );
    for (const arg of ['2', '-1', 'half'])
      refuses(
        { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: arg },
        `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${arg}.`,
      );
    refuses(
      { ...endpoint, OTEL_BSP_MAX_QUEUE_SIZE: '0' },
      'OTEL_BSP_MAX_QUEUE_SIZE must be a number from 1 to 999999999, not 0.',
    );
  });

  it('BACKUP_DATABASE_URL replaces DATABASE_URL for the tools of PostgreSQL', () => {
    const pooled = { DATABASE_URL: 'postgres://pooler/roster' };
    assert.deepEqual(readConfig(pooled).backup.database, readConfig(pooled).database);
    const url = 'postgres://server/roster';
    const { database, backup } = readConfig({ ...pooled, BACKUP_DATABASE_URL: url });
    assert.deepEqual(database, { engine: 'postgres', url: pooled.DATABASE_URL });
    assert.deepEqual(backup.database, { engine: 'postgres', url, variable: 'BACKUP_DATABASE_URL' });
    refuses(
      { BACKUP_DATABASE_URL: url },
      'BACKUP_DATABASE_URL needs a DATABASE_URL that starts with postgres://. With SQLite, remove BACKUP_DATABASE_URL.',
    );
    refuses(
      { ...pooled, BACKUP_DATABASE_URL: 'sqlite:x' },
      'BACKUP_DATABASE_URL must look like postgres://user:password@host:5432/database. Separate several servers with commas: host1:5432,host2:5432.',
    );
  });

  it('The variables of backups are read and validated together', () => {
    const folder = { BACKUP_TO: '/mnt/backups', BACKUP_SCHEDULE: '30 3 * * *' };
    const { schedule, to, retention } = readConfig({
      ...folder,
      BACKUP_KEEP: '7',
      BACKUP_KEEP_DAYS: '30',
    }).backup;
    assert.equal(schedule?.next(new Date('2026-11-16T04:00:00Z')).toISOString(), '2026-11-17T03:30:00.000Z');
    assert.deepEqual(to, { kind: 'folder', path: '/mnt/backups' });
    assert.deepEqual(retention, { count: 7, days: 30 });
    const s3 = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const bucket = { BACKUP_TO: 's3://bucket', BACKUP_SCHEDULE: '@daily' };
    assert.deepEqual(readConfig({ ...bucket, ...s3, AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' }).backup.s3, {
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: undefined,
      region: 'us-east-1',
      endpoint: 'http://127.0.0.1:9000',
    });
    refuses(
      { ...folder, BACKUP_SCHEDULE: 'daily' },
      'BACKUP_SCHEDULE must be @hourly, @daily, @weekly, @monthly or five cron fields in UTC such as "30 3 * * *", not daily.',
    );
    refuses(
      { BACKUP_SCHEDULE: '@daily' },
      'BACKUP_SCHEDULE needs BACKUP_TO, a folder or s3://bucket/prefix.',
    );
    refuses(bucket, 'For s3://, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
    refuses(
      { ...bucket, ...s3, AWS_ENDPOINT_URL_S3: 'minio:9000' },
      'AWS_ENDPOINT_URL_S3 must be a URL such as https://s3.example.com, not minio:9000.',
    );
    refuses({ BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a number from 1 to 99999, not 0.');
    refuses(
      { BACKUP_TO: 'ftp://host' },
      'BACKUP_TO must be a folder, file:///folder or s3://bucket/prefix with a bucket of 3 to 63 characters, not ftp://host.',
    );
    refuses(
      { ...folder, BACKUP_PASSPHRASE: 'short' },
      'The passphrase of backups must have at least 12 characters.',
    );
    refuses(
      { ...folder, BACKUP_PASSPHRASE: 'a long passphrase', BACKUP_ENCRYPT_TO: `age1${'q'.repeat(58)}` },
      'Set BACKUP_ENCRYPT_TO or a passphrase of backups, not both.',
    );
    refuses(
      { BACKUP_ENCRYPT_TO: 'ssh-ed25519 AAAA' },
      'BACKUP_ENCRYPT_TO must be public keys of age, which start with age1, separated by commas.',
    );
  });
});
