import { valueText } from '../features/agents/placeholders.ts';
import { PROGRAM } from '../lib/executable.ts';
import { listRecords, type RequestOptions, request } from './client.ts';
import { type Command, type ParsedArgs, table, UsageError } from './command.ts';
import { connect, URL_OPTION } from './connection.ts';
import { printError, writeAll } from './output.ts';
import { BODY_OPTIONS, readBody } from './request-body.ts';

type Forms = Command['forms'];
type Data = Record<string, unknown>;

/** A collection of the API. */
interface Resource {
  /** As in the scopes, if they do not have the name of the path. */
  readonly scope?: string;
  /** The members in the table of a list. A dot leads to a member inside. */
  readonly columns: readonly string[];
  readonly isReadOnly?: boolean;
  /** A parameter of the query, for the help; undefined if there is none. */
  readonly query?: string;
}

const RESOURCES = {
  contacts: {
    columns: ['id', 'phone_number', 'first_name', 'last_name', 'email', 'tags'],
    query: 'tag=vip',
  },
  agents: {
    columns: ['id', 'name', 'deployed_version.version_label', 'updated_at'],
  },
  campaigns: { columns: ['id', 'name', 'status', 'agent.name', 'updated_at'], query: 'status=active' },
  calls: {
    columns: [
      'id',
      'started_at',
      'direction',
      'number',
      'contact_name',
      'agent_name',
      'status',
      'disposition',
    ],
    query: 'direction=inbound',
    isReadOnly: true,
  },
  segments: { columns: ['id', 'name', 'shared', 'updated_at'], scope: 'contacts' },
} as const satisfies Record<string, Resource>;

const DEFAULT_LIMIT = 100;

const valueAt = (data: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => Object(value)[name], data);

const headingOf = (path: string): string => path.replace(/\..*/, '').replaceAll('_', ' ').toUpperCase();

const formatRecord = (record: Data): string =>
  table(
    ['FIELD', 'VALUE'],
    Object.entries(record).map(([name, value]) => [name, valueText(value)]),
  );

const pathOf = (name: string, ...parts: readonly string[]): string =>
  ['/v1', name, ...parts.map(encodeURIComponent)].join('/');

/** `name=value` of the option `--query`. */
const readQuery = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (at < 1) throw new UsageError(`--query must have the form name=value, not ${pair}.`);
      if (name === 'limit' || name === 'offset' || name === 'cursor')
        throw new UsageError(
          `--query ${name} is not possible. Use --limit, which reads as many pages as it takes.`,
        );
      return [name, pair.slice(at + 1)];
    }),
  );

const readLimit = (text = `${DEFAULT_LIMIT}`): number => {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit must be a number from 1, or all, not ${text}.`);
};

interface Action {
  readonly description: string;
  readonly scopes: string;
  readonly request: (args: ParsedArgs) => { method: string; path: string } & RequestOptions;
  /** The result for people. The default is a table of its members. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's document has its form
  readonly format?: (data: any) => string;
  /** Print the formatted result as it is, for files. */
  readonly isExact?: boolean;
}

/** A form that sends one request and prints its data. */
export const requestForm = (action: Action): Forms[string] => [
  action.description,
  async (args) => {
    const { method, path, ...options } = action.request(args);
    const { body } = await request(connect(args, action.scopes), method, path, options);
    const text = (action.format ?? formatRecord)(body.data);
    if (action.isExact && !args.json) await writeAll(process.stdout, [text]);
    else args.print(body.data, text);
  },
];

export const jsonBody = (args: ParsedArgs): string => {
  const body = readBody(args);
  if (body === undefined) throw args.usageError('Say what to send with --set or --file.');
  return body;
};

const listForm =
  (name: string, { columns }: Resource, scopes: string) =>
  async (args: ParsedArgs): Promise<void> => {
    const [query, limit] = [readQuery(args.list('query')), readLimit(args.text('limit'))];
    const { records, total } = await listRecords(connect(args, scopes), pathOf(name), query, limit);
    const rows = records.map((record) => columns.map((path) => valueText(valueAt(record, path))));
    args.print(records, table(columns.map(headingOf), rows));
    if (records.length >= limit && records.length < total)
      printError(
        `${records.length} of ${total.toLocaleString('en')}. To list more: --limit N, or --limit all\n`,
      );
  };

/** The forms that list, show, create and edit the records of a collection. */
export const resourceForms = (name: keyof typeof RESOURCES): Forms => {
  const resource: Resource = RESOURCES[name];
  const { scope = name, isReadOnly } = resource;
  const query = resource.query ? ' [--query NAME=VALUE]…' : '';
  const [read, write] = [`${scope}:read`, `${scope}:write`];
  const one = name.slice(0, -1);
  /** A contact can also be found by its number. */
  const isNumber = (id: string) => name === 'contacts' && id.startsWith('+');
  const find = (id: string) => (isNumber(id) ? pathOf(name, 'by-phone', id) : pathOf(name, id));
  const pathToEdit = (id: string): string => {
    if (!isNumber(id)) return pathOf(name, id);
    throw new UsageError(`Name the contact by its ID, which this shows: ${PROGRAM} contacts get ${id}`);
  };
  const forms = {
    [`roster ${name} list${query} [--limit N] [--url URL] [--json]`]: [
      `Lists ${name}, newest first.`,
      listForm(name, resource, read),
    ] as const,
    [`roster ${name} get ID${query} [--url URL] [--json]`]: requestForm({
      description: `Shows one ${one}.`,
      scopes: read,
      request: ({ operands: [id = ''], list }) => ({
        ...{ method: 'GET', path: find(id), query: readQuery(list('query')) },
      }),
    }),
  };
  if (isReadOnly) return forms;
  return {
    ...forms,
    [`roster ${name} create [--set NAME=VALUE]… [--file FILE] [--url URL] [--json]`]: requestForm({
      description: `Creates one ${one}.`,
      scopes: write,
      request: (args) => ({ method: 'POST', path: pathOf(name), body: jsonBody(args) }),
    }),
    [`roster ${name} edit ID [--set NAME=VALUE]… [--file FILE] [--url URL] [--json]`]: requestForm({
      description: `Changes one ${one}. Members that are not sent stay as they are.`,
      scopes: write,
      request: (args) => ({
        method: 'PATCH',
        path: pathToEdit(args.operands[0] ?? ''),
        body: jsonBody(args),
      }),
    }),
  };
};

export const resourceOptions = (name: keyof typeof RESOURCES) => ({
  ...URL_OPTION,
  query: `A parameter of the API's query, such as ${(RESOURCES[name] as Resource).query}. Repeatable.`,
  limit: `How many to list, or all. Default: ${DEFAULT_LIMIT}.`,
  ...BODY_OPTIONS,
});

/** The command of a collection. */
export const resourceCommand = (name: keyof typeof RESOURCES): Command => ({
  forms: resourceForms(name),
  options: resourceOptions(name),
});
