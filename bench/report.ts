import { mkdirSync, writeFileSync } from 'node:fs';
import { chartOf } from './chart.ts';
import { generator } from './load.ts';
import { reasons } from './reasons.ts';
import { runRows, saveRun } from './runs.ts';
import type { Section } from './sections.ts';
import { type Figure, reachesTarget, targetOf } from './targets.ts';
import { spreadText, targetText, valueText } from './texts.ts';

const HEAD = `# Benchmarks

\`npm run bench\` writes this page. It starts everything that it measures, each contestant in its own process, and sends
requests from another one. Contestants are measured in turns, round after round, so that other load on the machine affects
all of them alike; a ratio is taken within a round. The tables show the median of the rounds and, as spread, the lowest and
the highest. Rates are only context: they depend on the machine, the ratios much less.

- *limit* is a bare \`node:http\` server that sends the same bytes, headers included, with the body built by
  \`JSON.stringify\` for each request. It uses no database and checks no key.
- *plain* is the same API written in the usual way, and written well (\`bench/contestants/plain.ts\`): Fastify with schemas
  and compiled serializers, prepared statements, the same indexes, an object for each row. Its totals are counted, which
  makes its lists slow.
- *Roster* is the service as \`npm start\` starts it, with its log discarded and
  one serving thread, unless a table says otherwise. Its API key is in the database.

The embedded engine caches a page until any process writes. In the first table nothing is written while pages are read, so
the first page, the page with a tag and the agent come from the read cache. Searches use so many different names that hardly
any result is cached; repeating one search has its own row. In the measurements of growth, a contact is created every 10 ms
while pages are read.

Before a round, all contestants must return the same bytes; a request without success ends the run. To repeat it, on an
otherwise idle machine:

\`\`\`sh
npm ci
npm run bench                          # everything, and this page; the first run fills the databases
npm run bench:huge                     # ten million contacts
npm run bench -- --quick               # shows that it works; the figures prove nothing
npm run bench -- --only get,pg.create  # a part of it
\`\`\`

The load comes from wrk if it is installed, otherwise from autocannon; \`pgbench\` and \`strace\` are used if they are
installed. [Ten million contacts](benchmarks/ten-million.md) have their own page. Filled databases stay in the system's temporary folder as \`roster-bench-…\`, and each run works on copies.
`;

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table whose first column is text. */
export const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

const resultText = (figure: Figure) => {
  if (!reachesTarget(figure)) return '**missed**';
  const { goal } = targetOf(figure.name);
  return goal !== undefined && figure.value.median >= goal ? 'met, with the aim' : 'met';
};

/** The figures of a section with their targets. */
export const tableOf = (figures: readonly Figure[]): string => {
  const facts = Object.keys(figures[0]?.facts ?? {});
  const heads = ['', 'median', 'spread', 'target', '', ...facts];
  const rows = figures.map((figure) => [
    targetOf(figure.name).title,
    `**${valueText(figure.name, figure.value.median)}**`,
    spreadText(figure.name, figure.value),
    targetText(figure.name),
    resultText(figure),
    ...facts.map((fact) => figure.facts[fact] ?? ''),
  ]);
  return markdownTable(heads, rows);
};

export const reasonsOf = (figures: readonly Figure[]) =>
  figures
    .filter((figure) => !reachesTarget(figure))
    .flatMap(({ name }) => (reasons[name] ? [`- Missed: ${targetOf(name).title}. ${reasons[name]}`] : []))
    .join('\n');

const sectionOf = ({ title, lead, chart, figures, left, table }: Section) =>
  [
    `## ${title}`,
    lead,
    ...(chart ? [`![${title}](benchmarks/${chart}.svg)`] : []),
    tableOf(figures),
    reasonsOf(figures),
    left ?? '',
    table ?? '',
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
  const runs = saveRun(all);
  const heads = ['', 'target', ...runs.map((_, at) => `run ${at + 1}`)];
  const lastRuns = [
    '## The last runs',
    'Medians of the last complete runs; the last column is the run above.',
    markdownTable(heads, runRows(all, runs)),
  ];
  const page = [HEAD.trimEnd(), ...sections.map(sectionOf), ...lastRuns, ...measuredOn].join('\n\n');
  writeFileSync(new URL('benchmarks.md', docs), `${page}\n`);
  for (const { chart, title, figures } of sections) {
    if (chart) writeFileSync(new URL(`benchmarks/${chart}.svg`, docs), chartOf(title, figures));
  }
};
