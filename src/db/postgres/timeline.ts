import type { ClientBase } from 'pg';
import { asUnavailable } from './errors.ts';

/** The history that a server which accepts writes continues. Each promotion begins another one with a higher number. */
export interface Timeline {
  readonly number: number;
  /** The standbys of a server have its identifier. A restored dump and a new major version have another one. */
  readonly system: string;
}

/** The first eight digits of the name of a log file are its timeline. Null on a standby. */
const TIMELINE = `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  (select system_identifier::text from pg_control_system()) as system`;

/** Undefined for a standby, null if the server does not say it. */
export const readTimeline = async (
  client: Pick<ClientBase, 'query'>,
): Promise<Timeline | undefined | null> => {
  try {
    const { timeline, system } = (await client.query(TIMELINE)).rows[0];
    return timeline === null ? undefined : { number: Number.parseInt(timeline, 16), system };
  } catch (error) {
    // Some managed services restrict these functions, or do not have them.
    if (asUnavailable(error) === error) return null;
    throw error;
  }
};
