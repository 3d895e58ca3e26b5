import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { variables } from '../../src/config/config.ts';
import { has, skipReason } from './artifacts.ts';

const CHART = 'deploy/helm';
const missing =
  has('helm') || has('go')
    ? false
    : skipReason(
        'needs helm, or the Debian packages golang-go, golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev',
      );

const folder = mkdtempSync(join(tmpdir(), 'roster-helm-'));
const requireHere = createRequire(join(folder, 'package.json'));

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a manifest
type Manifest = any;

/** The interface of each kind, and the module that declares it. */
const TYPES: Readonly<Record<string, readonly [module: string, type: string]>> = {
  Deployment: ['kubernetes-models/apps/v1', 'IDeployment'],
  Ingress: ['kubernetes-models/networking.k8s.io/v1', 'IIngress'],
  PodDisruptionBudget: ['kubernetes-models/policy/v1', 'IPodDisruptionBudget'],
  Secret: ['kubernetes-models/v1', 'ISecret'],
  Service: ['kubernetes-models/v1', 'IService'],
  ServiceAccount: ['kubernetes-models/v1', 'IServiceAccount'],
  ServiceMonitor: ['@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1', 'IServiceMonitor'],
};

const template = (values: object) => {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return has('helm')
    ? spawnSync('helm', ['template', 'roster', CHART, '--values', file], { encoding: 'utf8' })
    : spawnSync(join(folder, 'template'), [CHART, 'roster', file], { encoding: 'utf8' });
};

const render = (values: object): Manifest[] => {
  const { status, stdout, stderr } = template(values);
  assert.equal(status, 0, stderr);
  const documents = requireHere('yaml').parseAllDocuments(stdout);
  for (const { errors } of documents) assert.deepEqual(errors, []);
  return documents.map((document: { toJSON(): Manifest }) => document.toJSON()).filter(Boolean);
};

/** Kubernetes ignores unknown fields, so a misspelled one has no effect. TypeScript rejects them in literals. */
const assertTyped = (manifests: readonly Manifest[]): void => {
  const lines = manifests.map((manifest, at) => {
    const [module, type] = TYPES[manifest.kind] ?? assert.fail(manifest.kind);
    return `import type { ${type} as T${at} } from '${module}';\nexport const m${at}: T${at} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(join(folder, 'manifests.mts'), lines.join('\n'));
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext'];
  const { status, stdout } = spawnSync(
    resolve('node_modules/.bin/tsc'),
    [...flags, join(folder, 'manifests.mts')],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout);
};

/** Checks formats, enumerations and required fields with the schemas of the Kubernetes API. */
const assertValid = (manifests: readonly Manifest[]): void => {
  const lines = manifests.map((manifest, at) => {
    const [module, type] = TYPES[manifest.kind] ?? assert.fail(manifest.kind);
    return `import { ${type.slice(1)} as T${at} } from '${module}';\nnew T${at}(${JSON.stringify(manifest)}).validate();`;
  });
  writeFileSync(join(folder, 'validate.mjs'), lines.join('\n'));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'validate.mjs')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
};

const REQUIRED = { database: { url: 'postgres://roster:secret@db/roster' }, secretKey: 'c2VjcmV0' };
const EVERYTHING = {
  ...REQUIRED,
  replicas: 3,
  image: { repository: 'registry.example.com/roster', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'pull' }],
  config: { RATE_LIMIT: '600/1m', AUDIT_DAYS: 30 },
  extraEnv: [{ name: 'ROSTER_API_KEY', valueFrom: { secretKeyRef: { name: 'other', key: 'key' } } }],
  extraEnvFrom: [{ configMapRef: { name: 'more' } }],
  drainSeconds: 20,
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'b' },
    hosts: ['roster.example.com'],
    tls: [{ secretName: 'tls', hosts: ['roster.example.com'] }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  serviceAccount: { annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'voice' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high',
};

describe('Helm chart', { skip: missing }, () => {
  before(() => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const packages = ['kubernetes-models@5.1.0', '@kubernetes-models/prometheus-operator@6.0.0', 'yaml@2'];
    execFileSync('npm', ['install', '--prefix', folder, '--silent', ...packages], { stdio: 'ignore' });
    if (has('helm')) return;
    execFileSync('go', ['build', '-o', join(folder, 'template'), 'test/release/helm/template.go'], {
      // Debian's packages of Go libraries are in this folder.
      env: {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(folder, 'cache'),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [title, values] of [
    ['the required values', REQUIRED],
    ['an existing secret', { existingSecret: 'mine', podDisruptionBudget: { enabled: false } }],
    ['every value', EVERYTHING],
  ] as const)
    it(`The manifests with ${title} are valid`, () => {
      const manifests = render(values);
      assertTyped(manifests);
      assertValid(manifests);
    });

  it('An unknown field and an invalid value of a manifest are found', () => {
    const [deployment] = render(REQUIRED).filter(({ kind }) => kind === 'Deployment');
    deployment.spec.replicas = 'two';
    assert.throws(() => assertValid([deployment]), /replicas/);
    deployment.spec.replicas = 2;
    deployment.spec.template.spec.containers[0].readinesProbe = {};
    assert.throws(() => assertTyped([deployment]), /readinesProbe/);
  });

  it('The instances run read-only as their own user and have time to drain', () => {
    const manifests = render(EVERYTHING);
    const { spec } = manifests.find(({ kind }) => kind === 'Deployment');
    const [container] = spec.template.spec.containers;
    assert.equal(spec.template.spec.terminationGracePeriodSeconds, 45);
    assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.equal(container.image, 'registry.example.com/roster:1.2.3');
    const names = container.env.map(({ name }: { name: string }) => name);
    for (const name of names) assert.ok(Object.hasOwn(variables, name), name);
    // Secrets are references, so that they do not show in the deployment.
    assert.ok(!JSON.stringify(spec).includes('roster:secret@db'));
    const selector = manifests.find(({ kind }) => kind === 'Service').spec.selector;
    for (const [label, value] of Object.entries(selector))
      assert.equal(spec.template.metadata.labels[label], value);
  });

  it('The instances trust one proxy with an ingress, none without, or those of the configuration', () => {
    const trusted = (values: object) => {
      const { spec } = render({ ...REQUIRED, ...values }).find(({ kind }) => kind === 'Deployment');
      return spec.template.spec.containers[0].env
        .filter(({ name }: { name: string }) => name === 'TRUST_PROXY')
        .map(({ value }: { value: string }) => value);
    };
    const { ingress } = EVERYTHING;
    const config = { TRUST_PROXY: 2 };
    assert.deepEqual(trusted({}), []);
    assert.deepEqual(trusted({ ingress }), ['1']);
    assert.deepEqual(trusted({ ingress, config }), ['2']);
    assert.deepEqual(trusted({ config }), ['2']);
  });

  it('The chart without a database says which value to set', () => {
    const { status, stderr } = template({});
    assert.notEqual(status, 0);
    assert.match(stderr, /Set existingSecret, or database\.url/);
    assert.match(template({ ...REQUIRED, secretKey: '' }).stderr, /openssl rand -base64 32/);
    assert.match(template({ ...REQUIRED, ingress: { enabled: true } }).stderr, /Set ingress\.hosts/);
  });

  it('The schema of the values accepts the examples and rejects unknown names', () => {
    const validate = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
    );
    const defaults = requireHere('yaml').parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
    for (const values of [defaults, EVERYTHING]) assert.ok(validate(values), JSON.stringify(validate.errors));
    assert.ok(!validate({ replica: 2 }));
    assert.ok(!validate({ database: { url: 'mysql://db' } }));
    assert.deepEqual(
      Object.keys((validate.schema as Manifest).properties).sort(),
      [...Object.keys(defaults), 'global'].sort(),
    );
  });
});
