import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Version } from './agent.store.ts';
import { getVersion } from './deploy.service.ts';
import { type Difference, differenceOf } from './difference.ts';
import { type Hunk, hunksOf, unifiedDiff } from './hunks.ts';

export interface VersionDiff {
  from: Omit<Version, 'instructions'>;
  to: Omit<Version, 'instructions'>;
  difference: Difference;
}

/** The versions by their ids or labels. */
export interface VersionPair {
  agent: string;
  from: string;
  to: string;
}

const readPair = async (db: Db, principal: Principal, { agent, from, to }: VersionPair) => {
  const { instructions: before, ...older } = await getVersion(db, principal, { agent, version: from });
  const { instructions: after, ...newer } = await getVersion(db, principal, { agent, version: to });
  return { before, after, older, newer, difference: differenceOf(before, after) };
};

/** How the instructions of two versions of an agent differ. A long read, because a diff takes up to 60 ms. */
export const diffVersions = longRead(
  'diffVersions',
  async (db: Db, principal: Principal, pair: VersionPair): Promise<VersionDiff> => {
    const { older, newer, difference } = await readPair(db, principal, pair);
    return { from: older, to: newer, difference };
  },
);

export interface VersionPatch extends Omit<VersionDiff, 'difference'> {
  added: number;
  removed: number;
  hunks: Hunk[];
  unified: string;
}

/** The same as hunks and as a unified diff. */
export const patchVersions = longRead(
  'patchVersions',
  async (db: Db, principal: Principal, pair: VersionPair): Promise<VersionPatch> => {
    const { before, after, older, newer, difference } = await readPair(db, principal, pair);
    const hunks = hunksOf(difference);
    const unified = unifiedDiff(
      hunks,
      { name: older.version_label, text: before },
      { name: newer.version_label, text: after },
    );
    return { from: older, to: newer, added: difference.added, removed: difference.removed, hunks, unified };
  },
);
