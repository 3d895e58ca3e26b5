import { isIP } from 'node:net';
import { addressOf, networkCheck } from '../../lib/ip-address.ts';
import { isPublicAddress } from '../../lib/public-address.ts';

/** What the operator allows, from the configuration. */
export interface WebhookNetworkConfig {
  readonly allowHttp: boolean;
  /** Networks that may be reached although they are not public. */
  readonly allowedNetworks: readonly string[];
}

export interface WebhookRules {
  readonly allowHttp: boolean;
  readonly mayReach: (address: string) => boolean;
}

export const webhookRules = ({ allowHttp, allowedNetworks }: WebhookNetworkConfig): WebhookRules => {
  const isAllowed = networkCheck(allowedNetworks);
  return {
    allowHttp,
    mayReach: (text) => {
      const address = addressOf(text);
      return address !== undefined && (isPublicAddress(text) || isAllowed(address));
    },
  };
};

export const MAX_URL_LENGTH = 2_048;

const NOT_PUBLIC =
  'is not public. Use a public host, or ask the operator to allow its network with WEBHOOK_ALLOWED_NETWORKS.';
export const HOST_NOT_PUBLIC = `The host has an address that ${NOT_PUBLIC}`;

/** The host of a URL as it is connected to: without brackets and without the dot at the end. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');

/** The addresses that a host has by definition, without DNS. Undefined for all other names. */
export const fixedAddresses = (host: string): readonly string[] | undefined => {
  if (isIP(host)) return [host];
  return host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : undefined;
};

const WEBHOOK = {
  absolute: 'Send an absolute URL such as https://example.com/webhooks.',
  credentials: 'Remove the user name and password. Verify the signature of the webhook instead.',
};

/** Why Roster does not send to a URL, and what to send instead. The addresses of a DNS name are checked at each request. `use` has the words
 *  for what the URL is for. */
export const webhookUrlProblem = (text: string, { allowHttp, mayReach }: WebhookRules, use = WEBHOOK) => {
  if (text.length > MAX_URL_LENGTH) return `Send a URL of at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser removes or encodes these, so another URL than the one sent would be called.
  if (/[\s\p{Cc}\\]/u.test(text))
    return 'Remove spaces, control characters and backslashes, or percent-encode them.';
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return use.absolute;
  if (url.protocol === 'http:' && !allowHttp)
    return 'Use https instead of http. The operator can allow http with WEBHOOK_ALLOW_HTTP.';
  if (url.username || url.password) return use.credentials;
  if (text.includes('#')) return 'Remove the fragment, the part from the # on. Receivers never see it.';
  const addresses = fixedAddresses(hostOf(url));
  if (addresses && !addresses.some(mayReach)) return `The address of this host ${NOT_PUBLIC}`;
  return undefined;
};
