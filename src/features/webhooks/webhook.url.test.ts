import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { webhookRules, webhookUrlProblem } from './webhook.url.ts';

const STRICT = webhookRules({ allowHttp: false, allowedNetworks: [] });
const OPEN = webhookRules({ allowHttp: true, allowedNetworks: ['127.0.0.0/8', '10.1.0.0/16', 'fd00::/8'] });

const refused = (pattern: RegExp, ...urls: string[]) => {
  for (const url of urls) assert.match(webhookUrlProblem(url, STRICT) ?? 'accepted', pattern, url);
};
const accepted = (rules: typeof STRICT, ...urls: string[]) => {
  for (const url of urls) assert.equal(webhookUrlProblem(url, rules), undefined, url);
};

describe('webhookUrlProblem', () => {
  it('An https URL of a DNS name or a public address is accepted, with any port', () => {
    accepted(
      STRICT,
      'https://example.com',
      'https://example.com/hooks?a=b&c=%23',
      'https://example.com:8443/',
      'HTTPS://EXAMPLE.COM./x',
      'https://bücher.example/ä',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
      'https://db.internal/',
      `https://example.com/${'a'.repeat(2_028)}`,
    );
  });

  it('Other schemes and texts are refused with an example', () => {
    const pattern = /^Send an absolute URL such as https/;
    refused(
      pattern,
      '',
      'example.com',
      '/hooks',
      'ftp://example.com',
      'file:///etc/passwd',
      'https://',
      'https://[::1',
    );
    refused(
      pattern,
      'javascript:alert(1)',
      'https://example.com:99999/',
      'https://1.2.3.4.5/',
      'https://a%00b/',
    );
    refused(/^Send a URL of at most 2048 characters/, `https://example.com/${'a'.repeat(2_029)}`);
  });

  it('http is refused unless the operator allows it', () => {
    refused(/^Use https instead of http/, 'http://example.com/', 'http://8.8.8.8/');
    accepted(OPEN, 'http://example.com/');
  });

  it('Credentials, fragments, spaces, control characters and backslashes are refused', () => {
    refused(
      /^Remove the user name/,
      'https://user@example.com/',
      'https://user:pass@example.com/',
      'https://:p@e.com/',
    );
    refused(/^Remove the fragment/, 'https://example.com/#a', 'https://example.com/#');
    refused(
      /^Remove spaces/,
      ' https://example.com/',
      'https://example.com/\n',
      'https://exa\tmple.com/',
      'https:\\\\e.com',
    );
    refused(
      /^Remove spaces/,
      'https://example.com/a b',
      'https://example.com/\u0000',
      'https://example.com/\u00a0',
    );
  });

  it('A private address is refused in every notation, and so is localhost', () => {
    refused(
      /is not public/,
      'https://127.0.0.1/',
      'https://127.1/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://017700000001/',
      'https://127.0.0.1./',
      'https://１２７.0.0.1/',
      'https://0/',
      'https://10.0.0.1:8443/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[::127.0.0.1]/',
      'https://[64:ff9b::10.0.0.1]/',
      'https://[64:ff9b:1::8.8.8.8]/',
      'https://[2002:7f00:1::]/',
      'https://[fd00:ec2::254]/',
      'https://[fe80::1]/',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://app.localhost:3000/',
    );
  });

  it('An address in an allowed network is accepted, and only there', () => {
    accepted(OPEN, 'https://127.0.0.1/', 'https://localhost/', 'http://10.1.2.3:3000/', 'https://[fd12::1]/');
    accepted(OPEN, 'https://[::ffff:10.1.2.3]/');
    for (const url of [
      'https://10.2.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://[64:ff9b::10.1.2.3]/',
    ])
      assert.match(webhookUrlProblem(url, OPEN) ?? 'accepted', /is not public/, url);
  });
});
