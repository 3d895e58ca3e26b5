import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Storage } from '../../db/storage.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import type { Page } from '../../lib/page.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import * as v from '../../lib/validation.ts';
import type { KeyPrincipal } from '../workspaces/principal.ts';
import type { Answer } from './answer.ts';

/** What a tool works with: the storage, and the key that called it. */
export interface ToolContext {
  readonly storage: Storage;
  readonly encryptor: Encryptor;
  readonly principal: KeyPrincipal;
}

/** How a client may present and confirm a call. */
export const READ: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  /** Roster is a closed domain: no tool reaches another system. */
  openWorldHint: false,
};
/** Adds, and repeating it adds more. */
export const ADD: ToolAnnotations = { ...READ, readOnlyHint: false, idempotentHint: false };
/** Replaces what was there before. */
export const REPLACE: ToolAnnotations = { ...READ, readOnlyHint: false, destructiveHint: true };

export interface Tool<I = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: KeyScope;
  /** As `alsoNeeds` of a route. */
  readonly alsoNeeds?: readonly KeyScope[];
  readonly hints: ToolAnnotations;
  readonly input: v.ObjectReader<I>;
  readonly run: (context: ToolContext, input: I) => Promise<Answer>;
}

/** Infers the input of a tool from its schema. */
export const tool = <I>(definition: Tool<I>): Tool => definition as unknown as Tool;

export const id = (description: string): v.Field<string> =>
  v.described(v.text({ min: 1, max: 64 }), description);

/** An id that selects records of a list. Any other text would find none, as if there were none. */
export const idFilter = (what: string, parse: (text: string) => string | undefined, description: string) =>
  v.text({
    max: 64,
    check: (value) => (parse(value) ? undefined : `must be the id of ${what}.`),
    schema: { description },
  });

/** Fields of the query or the body of a route, which the tool takes as arguments. */
export const argumentsOf = <F extends v.Fields, K extends keyof F>(
  { fields }: { readonly fields: F },
  ...names: readonly K[]
): Pick<F, K> => Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, K>;

/** The records of a page. Operations return them as JSON. */
export const recordsOf = <T>({ json }: Pick<Page, 'json'>): T[] => JSON.parse(`[${json}]`) as T[];

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A page, and whether there are more records than its total. */
type Found = Page & { readonly isCapped?: boolean; readonly offset?: number | undefined };

/** The answer of a tool that lists one page. */
export const listAnswer = <T extends object = Record<string, unknown>>(
  name: string,
  what: readonly [one: string, many?: string],
  { json, total, offset = 0, isCapped = false }: Found,
  show: (record: T) => unknown = (record) => record,
): Answer & { readonly records: readonly unknown[] } => ({
  summary: `${isCapped ? 'More than ' : ''}${plural(total, ...what)} found.`,
  records: recordsOf<T>({ json }).map(show),
  more: (shown) => {
    const end = offset + shown;
    if (end >= total && !isCapped) return offset === 0 ? undefined : `This is the end of the list.`;
    return `Shown: ${offset + 1} to ${end}. For the next ones call ${name} with offset ${end}, or use a narrower filter.`;
  },
});

/** The answer of a tool that shows a record before one page of a list. */
export const withFirst = (
  summary: string,
  record: object,
  { summary: found, records, more }: ReturnType<typeof listAnswer>,
): Answer => ({
  summary: `${summary} ${found}`,
  records: [record, ...records],
  more: (shown) => more?.(shown - 1),
});

/** Only the named properties of a record, without the empty ones. */
export const pick = <T extends object>(record: T, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(
    names.map((name) => [name, record[name]]).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>;
