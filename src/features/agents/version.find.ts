import type { Db } from '../../db/db.ts';
import { parseUuid } from '../../lib/ids.ts';
import type { VersionRow } from './agent.store.ts';
import * as store from './version.store.ts';

const LABEL = /^v([1-9]\d{0,8})$/;

/** How a request names a version: by its id, or by its label, such as `v3`. */
export const versionBy = (version: string): ['number', number] | ['id', string] => {
  const number = LABEL.exec(version)?.[1];
  return number === undefined ? ['id', parseUuid(version) ?? ''] : ['number', Number(number)];
};

export const findVersion = async (
  db: Db,
  workspace: number,
  { agent, version }: { agent: string; version: string },
): Promise<VersionRow | undefined> => {
  const [by, value] = versionBy(version);
  return by === 'number'
    ? db.get(store.findVersionByNumber, { workspace, agent, number: value })
    : db.get(store.findVersion, { workspace, agent, version: value });
};
