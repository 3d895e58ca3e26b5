import { longRead } from '../../db/operation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getVersion } from './deploy.service.ts';
import { differenceOf } from './difference.ts';

/** How the instructions of two versions of an agent, by their ids or labels, differ. A long read, because a diff takes up to
 *  60 ms. */
export const compareVersions = longRead(
  'compareVersions',
  async (
    db,
    principal: Principal,
    { agent, from, to }: Readonly<Record<'agent' | 'from' | 'to', string>>,
  ) => {
    const { instructions: before, ...older } = await getVersion(db, principal, { agent, version: from });
    const { instructions: after, ...newer } = await getVersion(db, principal, { agent, version: to });
    const difference = differenceOf(
      { name: older.version_label, text: before },
      { name: newer.version_label, text: after },
    );
    return { from: older, to: newer, ...difference };
  },
);
