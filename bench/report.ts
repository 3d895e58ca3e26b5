import { mkdirSync, writeFileSync } from 'node:fs';
import { chartOf } from './chart.ts';
import { generator } from './load.ts';
import { reasons } from './reasons.ts';
import { keepRun, runRows } from './runs.ts';
import type { Section } from './sections.ts';
import { type Figure, isMet, targetOf } from './targets.ts';
import { spreadText, targetText, valueText } from './texts.ts';

const HEAD = `# Benchmarks

\`npm run bench\` writes this page. It starts all that it measures, each contestant as a process of its own, and sends
requests from a further one. Contestants are measured in turns, round after round, so that whatever else the machine does
hits all alike; a ratio is taken within a round. The tables show the median of the rounds and, as spread, the lowest and the
highest. Rates are only context: they belong to the machine, the ratios much less so.

- *limit* is a bare \`node:http\` server that answers the same bytes, headers included, with the body built by
  \`JSON.stringify\` for each request. It asks no database and no key.
- *plain* is the same API written the usual way, and written well (\`bench/contestants/plain.ts\`): Fastify with schemas and
  compiled serialisers, statements that are prepared once, the same indexes, an object for each row. Its totals are
  counted, which is what makes its lists slow.
- *Roster* is the service as \`npm start\` starts it, with its log thrown away. Its key lies in the database.

The embedded engine remembers a page until anybody writes. In the first table nothing is written while pages are read, so
the first page, the page with a tag and the agent come from memory; searches are for so many different names that hardly any does, and
the same search again has a row of its own. As the data grows, a contact is created every 10 ms beside the pages.

Before a round is measured, all contestants must answer the same bytes; a request that is not answered with success ends
the run. To repeat it, on a machine that does nothing else:

\`\`\`sh
npm ci
npm run bench                          # all of it, and this page; the first run fills the databases
npm run bench -- --quick               # shows that it works; the figures prove nothing
npm run bench -- --only get,pg.create  # some of it
\`\`\`

wrk is used where the machine has it, and autocannon otherwise; \`pgbench\` and \`strace\` where there are any. Filled databases are
kept in the system's folder for temporary files, as \`roster-bench-…\`, and each run works on copies.
`;

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const verdictOf = (figure: Figure) => {
  if (!isMet(figure)) return '**missed**';
  const { aim } = targetOf(figure.name);
  return aim !== undefined && figure.value.median >= aim ? 'met, and the aim' : 'met';
};

/** The figures of a section, with what they are held to. */
export const tableOf = (figures: readonly Figure[]): string => {
  const facts = Object.keys(figures[0]?.facts ?? {});
  const heads = ['', 'median', 'spread', 'target', '', ...facts];
  const rows = figures.map((figure) => [
    targetOf(figure.name).title,
    `**${valueText(figure.name, figure.value.median)}**`,
    spreadText(figure.name, figure.value),
    targetText(figure.name),
    verdictOf(figure),
    ...facts.map((fact) => figure.facts[fact] ?? ''),
  ]);
  return [row(heads), row(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
};

const reasonsOf = (figures: readonly Figure[]) =>
  figures
    .filter((figure) => !isMet(figure))
    .flatMap(({ name }) => (reasons[name] ? [`- Missed: ${targetOf(name).title}. ${reasons[name]}`] : []))
    .join('\n');

const sectionOf = ({ title, lead, chart, figures, left }: Section) =>
  [
    `## ${title}`,
    lead,
    ...(chart ? [`![${title}](benchmarks/${chart}.svg)`] : []),
    tableOf(figures),
    reasonsOf(figures),
    left ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** Writes docs/benchmarks.md and its charts. */
export const writeReport = (
  sections: readonly Section[],
  machine: Readonly<Record<string, string>>,
): void => {
  const docs = new URL('../docs/', import.meta.url);
  mkdirSync(new URL('benchmarks/', docs), { recursive: true });
  const facts = { Day: new Date().toISOString().slice(0, 10), ...machine, 'Load generator': generator };
  const measuredOn = [
    '## Measured on',
    [row(['', '']), row(['---', '---']), ...Object.entries(facts).map(row)].join('\n'),
  ];
  const all = sections.flatMap(({ figures }) => figures);
  const runs = keepRun(all);
  const heads = ['', 'target', ...runs.map((_, at) => `run ${at + 1}`)];
  const lastRuns = [
    '## The last runs',
    'Medians of the last whole runs, the one above last.',
    [row(heads), row(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...runRows(all, runs).map(row)].join(
      '\n',
    ),
  ];
  const page = [HEAD.trimEnd(), ...sections.map(sectionOf), ...lastRuns, ...measuredOn].join('\n\n');
  writeFileSync(new URL('benchmarks.md', docs), `${page}\n`);
  for (const { chart, title, figures } of sections) {
    if (chart) writeFileSync(new URL(`benchmarks/${chart}.svg`, docs), chartOf(title, figures));
  }
};
