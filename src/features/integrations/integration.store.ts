import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';

const newColumns = { workspace_id: number, id: text, name: text, secret_hash: text, created_at: text };
/** The previous secret, accepted until it expires. */
const oldSecret = { old_secret_hash: textOrNull, old_secret_expires_at: textOrNull };
/** The last accepted request, and a JSON array of the last errors (see integration.health.ts). */
const health = { last_delivery_at: textOrNull, errors: textOrNull };
const columns = { ...newColumns, ...oldSecret, ...health };
export type IntegrationRow = typeof columns;

const rows = rowsOf<IntegrationRow>({ table: 'integrations' });
const [OLD_SECRET, HEALTH, COLUMNS] = [namesOf(oldSecret), namesOf(health), namesOf(columns)];

export const insertIntegration = rows.insert(namesOf(newColumns));
export const findIntegration = rows.find(COLUMNS);
export const lockIntegration = rows.lock(COLUMNS);
export const updateIntegration = rows.set(['name', 'secret_hash', ...OLD_SECRET, ...HEALTH]);
export const deleteIntegration = rows.remove;

/** What the API shows. */
export const SHOWN = ['id', 'name', 'old_secret_expires_at', 'created_at'] as const;

const newestFirst = { by: {}, order: sql`id desc` };
export const listIntegrationRows = rows.find(SHOWN, newestFirst);
export const listHealth = rows.find(['id', ...HEALTH], newestFirst);
