import type { Effect, Verdict } from '../imports/import.schema.ts';
import { type ImportView, listRows, type RowView } from '../imports/import.service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { quoted, table } from './command.ts';

/** What a verdict or an effect says of its rows. */
const MEANINGS: Record<Verdict | Effect, string> = {
  create: 'to create',
  update: 'to update',
  unchanged: 'unchanged',
  duplicate_in_file: 'twice in the file, left out',
  invalid: 'invalid, left out',
  created: 'created',
  updated: 'updated',
  none: 'unchanged',
  removed: 'removed again',
  restored: 'restored',
  edited_since: 'changed by somebody since, left alone',
};

const left = ['duplicate_in_file', 'invalid'] as const;
/** What there is to say of an import, by how far it is. */
const told: Partial<Record<ImportView['state'], readonly (Verdict | Effect)[]>> = {
  applied: ['created', 'updated', 'none', ...left],
  undone: ['removed', 'restored', 'edited_since', 'none', ...left],
};
const untilApplied = ['create', 'update', 'unchanged', ...left] as const;

const SHOWN = 5;

const NO_COUNTRY = 'National numbers are read with a country: --country US, for example.';

/** Some rows that were left out or left alone, and why. */
const problemsOf = async (storage: Storage, principal: Principal, view: ImportView) => {
  const { id, state, totals } = view;
  const query = state === 'undone' ? { effect: 'edited_since' as const } : { verdict: 'invalid' as const };
  const count = totals[query.effect ?? query.verdict ?? ''] ?? 0;
  if (count === 0) return '';
  const { wire } = await storage.scan(listRows, principal, { id, query: { ...query, limit: SHOWN } });
  const lines = (JSON.parse(`[${wire}]`) as RowView[]).map(({ line, field, reason, contact_id }) =>
    reason ? `Line ${line}: ${field} ${reason}` : `Line ${line}: ${contact_id ?? 'the contact was deleted.'}`,
  );
  const more = count - lines.length;
  if (more > 0) lines.push(`and ${more.toLocaleString('en')} more.`);
  const lacksCountry = view.options.country === null && lines.some((line) => line.includes('country code'));
  return `\n\n${[...lines, ...(lacksCountry ? [NO_COUNTRY] : [])].join('\n')}`;
};

/** A command about an import, as it can be typed. */
export const nextCommand = (action: string, id: string, workspace: string | undefined): string =>
  `npx roster import ${action} ${id}${workspace === undefined ? '' : ` --workspace ${quoted(workspace)}`}`;

/** An import in words: its rows counted, and some of those that need a look. */
export const wordsOf = async (storage: Storage, principal: Principal, view: ImportView): Promise<string> => {
  const names = told[view.state] ?? untilApplied;
  const rows = names.flatMap((name) => {
    const count = view.totals[name] ?? 0;
    return count > 0 ? [[count.toLocaleString('en'), MEANINGS[name]]] : [];
  });
  const title = `${view.name} is ${view.state}: ${view.rows.toLocaleString('en')} ${view.rows === 1 ? 'row' : 'rows'}.`;
  return `${title}\n\n${table(['ROWS', ''], rows)}${await problemsOf(storage, principal, view)}\n`;
};

/** Which column was taken for what. */
export const columnWords = ({ columns }: ImportView): string =>
  table(
    ['COLUMN', 'FIELD'],
    (columns as { name: string; field: string | null }[]).map(({ name, field }) => [name, field ?? '-']),
  );
