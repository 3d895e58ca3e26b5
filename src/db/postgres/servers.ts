/** The parts of a URL that may name several servers: `postgres://user@one:5432,two:5432/database`. As in any URL, the last @
 *  ends the user and the password. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/;

/** One URL for each server that a URL names. Undefined if it is invalid. */
export const serverUrls = (url: string): string[] | undefined => {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => `${start}${host}${rest}`);
  const areValid = start !== '' && urls.every((each) => URL.canParse(each));
  return areValid && (hosts === '' || !hosts.split(',').includes('')) ? urls : undefined;
};

/** The hosts of a URL, without credentials, for messages. */
export const hostsOf = (url: string): string => PARTS.exec(url)?.[2] ?? '';

/** Several servers are one primary and its standbys. The health check finds out which one accepts writes. */
export class Servers {
  readonly urls: readonly string[];
  #current: string;

  constructor(url: string) {
    this.urls = serverUrls(url) ?? [url];
    this.#current = this.urls[0] as string;
  }

  /** The server for new connections. */
  get current(): string {
    return this.#current;
  }

  use(url: string): void {
    this.#current = url;
  }

  /** The next server in the list, which begins again after the last one. */
  after(url: string): string {
    return this.urls[(this.urls.indexOf(url) + 1) % this.urls.length] as string;
  }
}
