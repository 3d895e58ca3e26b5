import { assertSameResponses } from './answers.ts';
import { fillPlain } from './contestants/plain.postgres.fill.ts';
import { type Filled, fill } from './fill.ts';
import { load } from './load.ts';
import { byPgbench, pgbench } from './pgbench.ts';
import { openDatabase } from './postgres.database.ts';
import { printProgress } from './progress.ts';
import { recordings } from './recorded.ts';
import { type Contestants, ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startRoster, startServer } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure, FigureName } from './targets.ts';
import { msText, printFigure, rateText } from './texts.ts';
import { trafficByName } from './works.ts';

const NAMES = ['get', 'list', 'search', 'create'] as const;
type Name = (typeof NAMES)[number];

interface Setup {
  readonly run: Run;
  readonly url: string;
  readonly filled: Filled;
  readonly roster: Server;
  readonly plain: Server;
}

const measureOne = async (name: Name, { run, url, filled, roster, plain }: Setup): Promise<Figure[]> => {
  const traffic = trafficByName[name](filled);
  await assertSameResponses(traffic, { roster, plain });
  const measure = (server: Server) => (seconds: number) =>
    load(server.url, traffic, { connections: CONNECTIONS, seconds });
  const contestants: Contestants<string> = { plain: measure(plain), roster: measure(roster) };
  if (pgbench) {
    contestants.pgbench = byPgbench(pgbench, await recordings[name](url, filled), {
      url,
      folder: run.folder,
    });
  }
  const rounds = await runRounds(contestants, run.settings.shortRounds);
  const rate = (who: string) => rateText(spreadOver(rounds, who, 'rate').median);
  const facts = {
    'plain /s': rate('plain'),
    'Roster /s': rate('roster'),
    ...(pgbench && { 'pgbench /s': rate('pgbench') }),
    'Roster p99': msText(spreadOver(rounds, 'roster', 'p99').median),
  };
  const figure = (figureName: FigureName, to: string): Figure => {
    const value = ratioOf(rounds, { of: 'roster', to, by: 'rate' });
    printFigure(figureName, value);
    return { name: figureName, value, facts, bars: { Roster: value.median } };
  };
  const ofPlain = figure(`pg.${name}`, 'plain');
  return pgbench ? [ofPlain, figure(`pg.${name}.pgbench`, 'pgbench')] : [ofPlain];
};

/** Compares Roster on PostgreSQL with the plain build and with pgbench. */
export const measurePostgres = async (
  run: Run,
): Promise<{ figures: Figure[]; version: string | undefined }> => {
  const { settings, wants } = run;
  const names = NAMES.filter((name) => wants(`pg.${name}`) || wants(`pg.${name}.pgbench`));
  if (names.length === 0) return { figures: [], version: undefined };
  printProgress(`filling PostgreSQL with ${settings.contacts.toLocaleString('en')} contacts`);
  const { url, version, close } = await openDatabase();
  const filled = await fill({ engine: 'postgres', url }, { contacts: settings.contacts, neighbours: 0 });
  await fillPlain(url);
  const roster = await startRoster(url);
  const plain = await startServer('./contestants/plain.ts', { DATABASE_URL: url });
  const figures: Figure[] = [];
  for (const name of names) figures.push(...(await measureOne(name, { run, url, filled, roster, plain })));
  await Promise.all([roster.stop(), plain.stop()]);
  await close();
  return { figures, version };
};
