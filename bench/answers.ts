import assert from 'node:assert/strict';
import type { Server } from './server.ts';
import { NUMBER, type Traffic } from './works.ts';

/** Outside of the numbers that the load uses. */
let number = 50_000_000;

/** Headers that node:http sets itself, and headers that depend on the body. */
const NODE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** Sends one request of a kind; it must succeed. */
export const getResponse = async (
  url: string,
  { method, key, paths, body }: Traffic,
  path = paths[0] as string,
): Promise<{ status: number; headers: Record<string, string>; text: string }> => {
  const unused = String(++number).padStart(NUMBER.length, '0');
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      // The load generators do not ask for compression.
      'accept-encoding': 'identity',
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body?.replaceAll(NUMBER, unused) ?? null,
  });
  const text = await response.text();
  assert.equal(response.status, method === 'POST' ? 201 : 200, `${method} ${path} at ${url}: ${text}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !NODE_HEADERS.has(name)));
  return { status: response.status, headers, text };
};

/** The parts of a response that differ between two creates. */
const UNIQUE_VALUES = /contact_\w{26}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{9}(?=\D)/g;

const bytes = async ({ url }: Server, traffic: Traffic, path?: string) => {
  const { text } = await getResponse(url, traffic, path);
  return traffic.body ? text.replace(UNIQUE_VALUES, '') : text;
};

const SAMPLES = 20;

/** Checks that the contestants send the same bytes. The limit has only one response. */
export const assertSameResponses = async (
  traffic: Traffic,
  { roster, plain, limit }: { roster: Server; plain: Server; limit?: Server },
): Promise<void> => {
  if (limit) assert.equal(await bytes(limit, traffic), await bytes(roster, traffic));
  const step = Math.ceil(traffic.paths.length / SAMPLES);
  for (let at = 0; at < traffic.paths.length; at += step) {
    assert.equal(
      await bytes(plain, traffic, traffic.paths[at]),
      await bytes(roster, traffic, traffic.paths[at]),
    );
  }
};
