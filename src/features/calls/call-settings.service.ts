import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statement } from '../../db/statement.ts';
import { conflict, invalid, invalidField, type Problem } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, withEtag } from '../../lib/etag.ts';
import { listSome } from '../../lib/text.ts';
import { change } from '../../records/change.ts';
import { profileTexts } from '../contacts/contact.schema.ts';
import { lockDefinitions } from '../fields/field.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CallEvent } from './call.schema.ts';
import type { CallSettings, FieldRule } from './call-settings.schema.ts';

const find = statement(
  ({ workspace }: { workspace: number }) =>
    sql<{ call_settings: string | null }>`select call_settings from workspaces where id = ${workspace}`,
);
const set = statement(
  ({ workspace, settings }: { workspace: number; settings: string }) =>
    sql<never>`update workspaces set call_settings = ${settings} where id = ${workspace}`,
);

const DEFAULTS: CallSettings = { dispositions: [], field_rules: [], transcript_days: null };

export const getCallSettings = read(
  'getCallSettings',
  async (db, { workspace }: Pick<Principal, 'workspace'>): Promise<CallSettings> => {
    const stored = (await db.get(find, { workspace }))?.call_settings;
    return stored ? (JSON.parse(stored) as CallSettings) : DEFAULTS;
  },
);

export const isBuiltIn = (field: string): boolean => (profileTexts as readonly string[]).includes(field);

const unknownFields = (rules: readonly FieldRule[], fields: ReadonlyMap<string, string | null>): Problem[] =>
  rules.flatMap(({ field }, at) => {
    const archived = fields.get(field);
    if (isBuiltIn(field) || archived === null) return [];
    const message =
      archived === undefined
        ? 'is not a field of this workspace. Create it with POST /v1/fields.'
        : 'is archived. Unarchive the field first, or leave the rule out.';
    return [{ field: `field_rules[${at}].field`, message }];
  });

const NAMES = ['dispositions', 'field_rules', 'transcript_days'] as const;

/** Replaces the settings. The lock of the definitions keeps fields and settings as they are until the transaction ends. */
export const replaceCallSettings = write(
  'replaceCallSettings',
  async (db, principal: Principal, { match, ...settings }: CallSettings & { match?: IfMatch }) => {
    const { workspace } = principal;
    const definitions = await lockDefinitions(db, workspace);
    const before = await getCallSettings(db, principal);
    assertIfMatch('list of settings', withEtag(before).etag, match);
    const fields = new Map(definitions.map(({ key, archived_at }) => [key, archived_at]));
    const problems = unknownFields(settings.field_rules, fields);
    if (problems.length > 0) throw invalid(problems);
    const { dispositions, field_rules, transcript_days } = settings;
    const next: CallSettings = { dispositions, field_rules, transcript_days };
    const changed = NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(next[name]));
    if (changed.length === 0) return before;
    await db.run(set, { workspace, settings: JSON.stringify(next) });
    const values = { before, after: next };
    change(db, principal, { action: 'settings.updated', fields: changed, values });
    return next;
  },
);

/** A field that a rule writes is neither archived nor deleted. */
export const assertNotRuled = async (db: Db, principal: Principal, key: string): Promise<void> => {
  const { field_rules } = await getCallSettings(db, principal);
  if (field_rules.some(({ field }) => field === key))
    throw conflict(
      `A rule of the call settings writes the field ${key}. Remove it with PUT /v1/call-settings first.`,
    );
};

/** Rejects a disposition that the workspace does not define, unless the call has it already. */
export const assertDisposition = (
  { dispositions }: CallSettings,
  { disposition }: Pick<CallEvent, 'disposition'>,
  known: string | null,
): void => {
  if (disposition === undefined || disposition === known) return;
  const keys = dispositions.map(({ key }) => key);
  if (keys.includes(disposition)) return;
  const define = 'An owner defines them with PUT /v1/call-settings.';
  throw invalidField(
    'disposition',
    keys.length === 0
      ? `cannot be set: the workspace defines no dispositions. ${define}`
      : `must be one of the dispositions of the workspace: ${listSome(keys)}. ${define}`,
  );
};
