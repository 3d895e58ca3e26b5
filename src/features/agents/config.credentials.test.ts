import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialsIn } from './config.credentials.ts';

const pathsIn = (value: unknown) => credentialsIn(value, 'config').map(({ field }) => field);
/** Joined at run time, so that scanners of repositories do not take them for real ones. */
const key = (prefix: string, rest: string) => `${prefix}${rest}`;
const RANDOM = 'q7Xk29LmPz4Rt8VwYb3NcD5fGh6J';

describe('Credentials in a config', () => {
  it('Keys with a known prefix are found under any name, also within a text', () => {
    const keys = [
      key('sk-', `proj-${RANDOM}`),
      key('sk-', `ant-api03-${RANDOM}`),
      key('sk_', `live_${RANDOM}`),
      key('rk_', `live_${RANDOM}`),
      key('rk_', `1_${RANDOM}`),
      key('xox', 'b-123456789012-abcdefghijkl'),
      key('ghp', `_${RANDOM}abcd`),
      key('github_', `pat_${RANDOM}`),
      key('AKI', 'AIOSFODNN7EXAMPLE'),
      key('AIz', `aSy${RANDOM}abcd`),
      key('whsec', `_${RANDOM}`),
      key('SG', `.${RANDOM}.${RANDOM}`),
      key('glpat', `-${RANDOM}`),
      key('hf', `_${RANDOM}abcd`),
      key('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'),
      key('-----BEGIN ', 'RSA PRIVATE KEY-----\nMIIE'),
      key('-----BEGIN ', 'PRIVATE KEY-----'),
      key('-----BEGIN ', 'PGP PRIVATE KEY BLOCK-----'),
      'postgres://app:hunter22@db.example/app',
      `Bearer ${RANDOM}`,
    ];
    for (const each of keys) {
      assert.deepEqual(pathsIn({ tools: [{ note: each }] }), ['config/tools/0/note'], each);
      if (!each.startsWith('Bearer'))
        assert.deepEqual(pathsIn({ a: `Use ${each} for it` }), ['config/a'], each);
    }
  });

  it('Keys with a known prefix are found as names, and the path ends before them', () => {
    const name = key('sk_', `live_${RANDOM}`);
    assert.deepEqual(credentialsIn({ tools: [{ [name]: { note: name } }] }, 'config'), [
      {
        field: 'config/tools/0',
        message:
          'has a name that looks like a credential. Store it in the runtime, and send a reference such as "$secret:name", which Roster returns as it is.',
      },
    ]);
    assert.deepEqual(pathsIn({ [`Bearer ${RANDOM}`]: 1, $secret: 1, [RANDOM]: 1 }), []);
  });

  it('Random texts are found under the names of secrets', () => {
    const names = [
      'api_key',
      'apiKey',
      'API-KEY',
      'X-Api-Key',
      'token',
      'auth_token',
      'clientSecret',
      'password',
      'Authorization',
      'private/key',
      'secrets',
    ];
    for (const name of names) {
      assert.equal(pathsIn({ [name]: RANDOM }).length, 1, name);
      assert.equal(pathsIn({ [name]: ['x', RANDOM] }).length, 1, name);
      assert.equal(pathsIn({ [name]: '0f3a9c1b7e5d2846a0c4e8f1b3d59726' }).length, 1, name);
    }
    assert.deepEqual(pathsIn({ headers: [{ name: 'X-Api-Key', value: RANDOM }] }), [
      'config/headers/0/value',
    ]);
  });

  it('References and usual values are accepted', () => {
    const prompt = 'You are the receptionist of a dental practice. '.repeat(200);
    const config = {
      api_key: '$secret:openai',
      Authorization: 'Bearer $secret:crm-token',
      password: 'Please ask the caller for the date of birth',
      token: '01890a5d-ac96-774b-bcce-b302099a8057',
      access_token: '{{customer_access_token_1234567}}',
      eos_token: 'end_of_turn_token_v2',
      token_url: 'https://auth.example/oauth/token?grant=1234567890abcdef',
      secret: 'https://vault.example/v1/secret/data/Roster2024',
      max_tokens: 4096,
      tokenizer: 'cl100k_base_extended_2024',
      voice: { provider: '11labs', id: '21m00Tcm4TlvDq8ikWAM', other: 'EXAVITQu4vr4xnSDxMaL' },
      model: 'claude-sonnet-4-5-20250929',
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      url: 'https://user@crm.example:8443/api?sig=1',
      sha: '0f3a9c1b7e5d2846a0c4e8f1b3d5972601890a5d',
      prompt,
      task: 'task-list-of-the-day-2024-and-more-words',
      sip: 'sip:+14155550100@sip.example:5060',
      transfer: '+14155550100',
    };
    assert.deepEqual(pathsIn(config), []);
  });

  it('A message never has the value', () => {
    const [problem] = credentialsIn({ token: RANDOM }, 'config');
    assert.deepEqual(problem, {
      field: 'config/token',
      message:
        'looks like a credential. Store it in the runtime, and send a reference such as "$secret:name", which Roster returns as it is.',
    });
  });

  it('Long texts take linear time', () => {
    const began = performance.now();
    for (const part of [
      'sk-',
      '-----BEGIN A ',
      'eyJaaaaaaaaaaaa.',
      'a://',
      'Bearer ',
      'aaaa-',
      'SG.aaaaaaaaaaaaaaaa.',
    ])
      credentialsIn({ token: part.repeat(65_000 / part.length) }, 'config');
    assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`);
  });
});
