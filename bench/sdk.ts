import { Roster } from '../sdk/src/index.ts';
import { filledFile } from './databases.ts';
import { spreadOf } from './rounds.ts';
import type { Run } from './run.ts';
import { startRoster } from './server.ts';
import type { Figure } from './targets.ts';
import { printFigure } from './texts.ts';

const CONCURRENCY = 16;
const REQUESTS = 1_000;
const ROUNDS = 15;

/** Microseconds of processor time per request. It is less affected by other load than the elapsed time. */
const processorTime = async (request: () => PromiseLike<unknown>): Promise<number> => {
  let left = REQUESTS;
  const before = process.cpuUsage();
  const work = async () => {
    while (left-- > 0) await request();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
};

/** Compares the SDK with calls of `fetch` that only check the status and parse the JSON. */
export const measureSdk = async ({ settings, folder, wants }: Run): Promise<Figure[]> => {
  const names = (['sdk.get', 'sdk.list'] as const).filter(wants);
  if (names.length === 0) return [];
  const filled = await filledFile({ contacts: settings.small, neighbours: 0 }, folder);
  const server = await startRoster(`sqlite:${filled.path}`);
  const headers = { authorization: `Bearer ${filled.key}` };
  const bare = async (path: string) => {
    const response = await fetch(`${server.url}/v1${path}`, { headers });
    if (!response.ok) throw new Error(`${path} is ${response.status}`);
    return ((await response.json()) as { data: unknown }).data;
  };
  const { contacts } = new Roster({ baseUrl: server.url, apiKey: filled.key });
  const [first] = (await contacts.list().page()).data;
  const id = first?.id ?? '';
  const requests = {
    'sdk.get': { bare: () => bare(`/contacts/${id}`), sdk: () => contacts.get(id) },
    'sdk.list': { bare: () => bare('/contacts?limit=100'), sdk: () => contacts.list({ limit: 100 }).page() },
  };
  const figures: Figure[] = [];
  for (const name of names) {
    const { bare, sdk } = requests[name];
    for (const request of [bare, sdk]) await processorTime(request);
    const rounds: { bare: number; sdk: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ bare: await processorTime(bare), sdk: await processorTime(sdk) });
    const value = spreadOf(rounds.map((round) => round.sdk / round.bare));
    const median = (who: 'bare' | 'sdk') =>
      `${spreadOf(rounds.map((each) => each[who])).median.toFixed(0)} µs`;
    figures.push({ name, value, facts: { fetch: median('bare'), SDK: median('sdk') } });
    printFigure(name, value);
  }
  await server.stop();
  return figures;
};
