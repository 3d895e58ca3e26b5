import type { Encryptor } from '../../lib/encryption.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import { issueToken, readToken, STATE_BYTES } from '../../lib/plan-token.ts';
import type { Principal } from '../workspaces/principal.ts';

/** What a plan token was issued for. */
export interface Plan {
  /** UUIDs in canonical form. */
  readonly agent: string;
  readonly version: string;
  /** The time of the deploy that the plan replaces; null for the first one. Every deploy of an agent has its own time. */
  readonly replaces: string | null;
}

const planOf = ({ workspace, actor }: Principal, agent: string, version: string) => ({
  purpose: 'mcp deploy plan',
  about: [workspace, actor, agent, version],
});

export const issuePlanToken = (
  encryptor: Pick<Encryptor, 'sign'>,
  principal: Principal,
  { agent, version, replaces }: Plan,
  now = Date.now(),
): { plan_token: string; expires_at: string } => {
  const state = Buffer.alloc(STATE_BYTES);
  state.writeUIntBE(replaces === null ? 0 : Date.parse(replaces), 0, STATE_BYTES);
  return issueToken(encryptor, { ...planOf(principal, agent, version), state }, now);
};

/** The deploy that the plan replaces. Throws unless the token was issued for this key, agent and version, and is valid now. */
export const readPlanToken = (
  encryptor: Pick<Encryptor, 'isSigned'>,
  principal: Principal,
  { agent, version, token }: { agent: string; version: string; token: string },
  now = Date.now(),
): string | null => {
  const state = readToken(encryptor, { ...planOf(principal, agent, version), token }, now);
  if (state === 'foreign')
    throw invalidField(
      'plan_token',
      'is not a plan for this agent and version by this key. Call show_deploy_impact and send its plan_token unchanged.',
    );
  if (state === 'expired')
    throw conflict(
      'The plan token has expired. Call show_deploy_impact again, review the impact, and deploy with the new token.',
    );
  const time = state.readUIntBE(0, STATE_BYTES);
  return time === 0 ? null : new Date(time).toISOString();
};
