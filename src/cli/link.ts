import { readConfig } from '../config.ts';
import { localUrl } from '../http/pipeline/request-origin.ts';

/** The whole address of a sign-in link, where the service runs with the PORT and HOST of this command. */
export const linkUrl = (path: string): string => {
  const { host, port, tls } = readConfig(process.env);
  return localUrl({ host, port, tls: tls !== undefined }) + path;
};

/** It may run with others. */
export const OTHER_ADDRESS = 'Under another address of Roster, keep all from /welcome on.';
