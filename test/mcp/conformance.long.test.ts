import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import { ALL_SCOPES } from '../kit/http/mcp.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startAuthorizingProxy } from './authorizing-proxy.ts';
import { notApplicable } from './not-applicable.ts';
import { runPackage } from './packages.ts';

/** Revisions of the protocol, and how many checks pass at least. */
const REVISIONS = { '2025-06-18': 30, '2025-11-25': 36, '2026-07-28': 93 } as const;

onEveryEngine('Conformance suite of MCP', (service) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-conformance-'));
  const failed = new Set<string>();
  let proxy: Awaited<ReturnType<typeof startAuthorizingProxy>>;
  before(async () => {
    const owner = await signedInOwner(service);
    await makeDeployedAgent(owner);
    const { key } = await owner.request('POST', '/keys', { name: 'Suite', scopes: ALL_SCOPES }, 201);
    proxy = await startAuthorizingProxy(service.url, key);
  });
  after(() => {
    proxy?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [revision, atLeast] of Object.entries(REVISIONS)) {
    test(`Every applicable check for revision ${revision} passes`, async () => {
      const results = join(folder, revision);
      const { output, errors } = await runPackage('@modelcontextprotocol/conformance', [
        ...['conformance', 'server', '--url', `${proxy.url}/mcp`, '--suite', 'all'],
        ...['--spec-version', revision, '--output-dir', results],
      ]);
      const checks: Json[] = globSync(join(results, '*/checks.json')).flatMap((file) =>
        JSON.parse(readFileSync(file, 'utf8')),
      );
      assert.ok(checks.length > 0, `the suite did not run: ${errors}\n${output}`);
      const failures = checks.filter(({ status }) => status === 'FAILURE');
      for (const { id } of failures) failed.add(id);
      const unexpected = failures.filter(({ id }) => !Object.hasOwn(notApplicable, id));
      assert.deepEqual(unexpected, []);
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      assert.ok(passed >= atLeast, `${passed} of ${checks.length} checks passed`);
    });
  }

  test('Every check that is listed as not applicable still fails', () => {
    assert.deepEqual(new Set(Object.keys(notApplicable)).difference(failed), new Set());
  });
});
