import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertSameResponses, getResponse } from './answers.ts';
import { filledFile, plainFile } from './databases.ts';
import { load } from './load.ts';
import { ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startRoster, startServer } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure } from './targets.ts';
import { msText, printFigure, rateText } from './texts.ts';
import { type Traffic, trafficByName } from './works.ts';

/** Creates come last: they change what the others return. */
const NAMES = ['get', 'list', 'tag', 'search', 'search.again', 'agent', 'create'] as const;

/** A bare server that sends Roster's response. */
export const startLimit = async (roster: Server, traffic: Traffic, folder: string): Promise<Server> => {
  const { status, headers, text } = await getResponse(roster.url, traffic);
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify({ status, headers, body: JSON.parse(text) }));
  return startServer('./contestants/limit.ts', { ANSWER: file });
};

/** Compares the embedded engine with the limit of the runtime and the plain build. */
export const measureEmbedded = async ({ settings, folder, wants }: Run): Promise<Figure[]> => {
  const names = NAMES.filter(wants);
  if (names.length === 0) return [];
  const filled = await filledFile({ contacts: settings.contacts, neighbours: 0 }, folder);
  const plainPath = await plainFile(filled, folder);
  const roster = await startRoster(`sqlite:${filled.path}`);
  const plain = await startServer('./contestants/plain.ts', { DATABASE_URL: plainPath });
  const figures: Figure[] = [];
  for (const name of names) {
    const traffic = trafficByName[name](filled);
    const limit = await startLimit(roster, traffic, folder);
    await assertSameResponses(traffic, { roster, plain, limit });
    const measure = (server: Server) => (seconds: number) =>
      load(server.url, traffic, { connections: CONNECTIONS, seconds });
    const contestants = { limit: measure(limit), plain: measure(plain), roster: measure(roster) };
    const rounds = await runRounds(contestants, settings.rounds);
    await limit.stop();
    const value = ratioOf(rounds, { of: 'roster', to: 'limit', by: 'rate' });
    const plainOfLimit = ratioOf(rounds, { of: 'plain', to: 'limit', by: 'rate' }).median;
    const rate = (who: keyof typeof contestants) => rateText(spreadOver(rounds, who, 'rate').median);
    figures.push({
      name,
      value,
      facts: {
        'plain of limit': plainOfLimit.toFixed(2),
        'limit /s': rate('limit'),
        'plain /s': rate('plain'),
        'Roster /s': rate('roster'),
        'Roster p99': msText(spreadOver(rounds, 'roster', 'p99').median),
      },
      bars: { plain: plainOfLimit, Roster: value.median },
    });
    printFigure(name, value);
  }
  await Promise.all([roster.stop(), plain.stop()]);
  return figures;
};
