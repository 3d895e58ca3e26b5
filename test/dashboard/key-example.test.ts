import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, it } from 'node:test';
import { promisify } from 'node:util';
import { exampleRequest } from '../../dashboard/src/pages/settings/keys/example.ts';
import { tools } from '../../src/features/mcp/tools/index.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { hasCurl, ROOT } from '../readme/session.ts';

/** Runs a command in a shell, on a machine without curl with the replacement of it. */
const run = (command: string) => {
  const replacement = `curl() { "${process.execPath}" "${ROOT}/test/readme/curl.ts" "$@"; }\n`;
  return promisify(execFile)('sh', ['-c', `${hasCurl ? '' : replacement}${command}`]);
};

onEveryEngine('The example of a new API key', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  for (const scopes of [...keyScopes.map((scope) => [scope]), ['agents:deploy', 'calls:read'] as const])
    it(`The command that is shown for a key with ${scopes.join(' and ')} succeeds, also twice`, async () => {
      const created = await owner.request('POST', '/keys', { name: 'New', scopes }, 201);
      const command = exampleRequest(service.url, created);
      const usable = tools
        .filter(({ scope, alsoNeeds = [] }) =>
          [scope, ...alsoNeeds].every((each) => created.scopes.includes(each)),
        )
        .map(({ name }) => name);
      for (let time = 0; time < 2; time++) {
        const { stdout } = await run(command);
        const answer = JSON.parse(stdout.replace(/^(?:event|data): ?.*?(?=\{)/s, ''));
        if (answer.success !== true)
          assert.deepEqual(
            answer.result?.tools.map(({ name }: { name: string }) => name),
            usable,
            stdout,
          );
      }
    });

  it('A key that can read gets an example that only reads', async () => {
    for (const scope of ['read', 'read_write']) {
      const created = await owner.request('POST', '/keys', { name: 'New', scope }, 201);
      assert.match(
        exampleRequest(service.url, created),
        /^curl -s "[^"]+\/v1\/contacts\?limit=1" \\\n {2}-H "Auth/,
      );
    }
  });
});
