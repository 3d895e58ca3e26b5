import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getVersion } from './deploy.service.ts';
import { differenceOf } from './difference.ts';
import { patchOf } from './hunks.ts';

/** The versions by their ids or labels. */
export interface VersionPair {
  agent: string;
  from: string;
  to: string;
}

const readPair = async (db: Db, principal: Principal, { agent, from, to }: VersionPair) => {
  const { instructions: before, ...older } = await getVersion(db, principal, { agent, version: from });
  const { instructions: after, ...newer } = await getVersion(db, principal, { agent, version: to });
  return { from: older, to: newer, before, after };
};

/** How the instructions of two versions of an agent differ. A long read, because a diff takes up to 60 ms. */
export const diffVersions = longRead(
  'diffVersions',
  async (db: Db, principal: Principal, pair: VersionPair) => {
    const { from, to, before, after } = await readPair(db, principal, pair);
    return { from, to, difference: differenceOf(before, after) };
  },
);

/** The same as hunks and as a unified diff. */
export const compareVersions = longRead(
  'compareVersions',
  async (db: Db, principal: Principal, pair: VersionPair) => {
    const { from, to, before, after } = await readPair(db, principal, pair);
    const older = { name: from.version_label, text: before };
    return { from, to, ...patchOf(older, { name: to.version_label, text: after }) };
  },
);
