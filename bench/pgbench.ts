import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './load.ts';
import { findProgram } from './machine.ts';
import type { RecordedQuery, Recording, VaryingValues } from './recorded.ts';

export const pgbench = findProgram('pgbench');

/** The size of Roster's pool without its two connections for short reads. */
const CONNECTIONS = 10;

/** A value of a recorded statement; the server computes the parts that differ. */
const varied = (variable: string, value: string, { number, id, seq }: VaryingValues) =>
  [
    [number, ':n'],
    [id, `'contact_' || :n`],
    [`"seq":${seq}}`, `'"seq":' || :seq || '}'`],
  ].reduce(
    (text, [from, to]) => (value.includes(from as string) ? `replace(${text}, '${from}', ${to})` : text),
    variable,
  );

/** Statements as a script of pgbench. Their values are variables, since pgbench sends these as arguments. */
const scriptOf = (
  queries: readonly RecordedQuery[],
  prefix: string,
  differing: VaryingValues | undefined,
) => {
  const variables: string[] = [];
  let places = 0;
  const lines = queries.map(({ text, values = [] }) => {
    const filled = text.replace(/\$(\d+)/g, (_, place) => {
      const value = values[Number(place) - 1];
      if (value === null) return 'null';
      const name = `${prefix}_${variables.length}`;
      variables.push(`${name}=${value}`);
      return differing ? varied(`:${name}`, String(value), differing) : `:${name}`;
    });
    if (!/returning "?seq"?$/.test(filled)) return `${filled};`;
    // Only the first result, the contact's seq, is used again.
    return places++ === 0 ? `${filled} \\gset` : `${filled} \\gset other_`;
  });
  const counted = differing ? ['\\set i :i + 1', '\\set n :first + :client_id * 100000 + :i'] : [];
  return { script: [...counted, ...lines].join('\n'), variables };
};

let jobs = 0;

/** Runs only the recorded statements, those of a random request each time, prepared where Roster prepares them. */
export const byPgbench = (
  program: string,
  { requests, differing }: Recording,
  { url, folder }: { url: string; folder: string },
): ((seconds: number) => Promise<Sample>) => {
  const scripts = requests.map((queries, at) => {
    const { script, variables } = scriptOf(queries, `v${at}`, differing);
    const file = join(folder, `request-${at}.sql`);
    writeFileSync(file, script);
    return { file, variables };
  });
  const isPrepared = requests.flat().every(({ name, values }) => name !== undefined || values === undefined);
  const flags = [
    ...['-n', '-M', isPrepared ? 'prepared' : 'extended', '-c', `${CONNECTIONS}`, '-j', '1', '-D', 'i=0'],
    ...scripts.flatMap(({ variables }) => variables.flatMap((variable) => ['-D', variable])),
    ...scripts.flatMap(({ file }) => ['-f', file]),
  ];
  return async (seconds) => {
    // Numbers that the load does not use.
    const first = 800_000_000 + (++jobs % 199) * 1_000_000;
    const args = [...flags, '-D', `first=${first}`, '-T', `${seconds}`, url];
    const { stdout } = await promisify(execFile)(program, args);
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    return { requests: rate * seconds, rate, p50: Number.NaN, p99: Number.NaN, errors: 0 };
  };
};
