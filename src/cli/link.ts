import { readConfig } from '../config/config.ts';
import { localUrl } from '../http/pipeline/request-origin.ts';

/** The URL of the service on this machine, assuming that it runs with the same PORT, HOST and TLS_CERT. */
export const serviceUrl = (): string => {
  const { host, port, tls } = readConfig(process.env);
  return localUrl({ host, port, tls: tls !== undefined });
};

export const OTHER_ADDRESS =
  'If Roster runs under another address, replace the part of the link before /welcome.';
