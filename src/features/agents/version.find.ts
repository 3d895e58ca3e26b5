import type { Db } from '../../db/db.ts';
import { parseUuid } from '../../lib/ids.ts';
import type { VersionRow } from './agent.store.ts';
import * as store from './version.store.ts';

const LABEL = /^v([1-9]\d{0,8})$/;

/** A version of an agent by its id or its label, such as `v3`. */
export const findVersion = async (
  db: Db,
  workspace: number,
  { agent, version }: { agent: string; version: string },
): Promise<VersionRow | undefined> => {
  const number = LABEL.exec(version)?.[1];
  if (number !== undefined)
    return db.get(store.findVersionByNumber, { workspace, agent, number: Number(number) });
  const id = parseUuid(version);
  return id ? db.get(store.findVersion, { workspace, agent, version: id }) : undefined;
};
