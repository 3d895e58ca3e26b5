import type { Encryptor } from '../../lib/encryption.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';

/** What a plan token was issued for. */
export interface Plan {
  /** UUIDs in canonical form. */
  readonly agent: string;
  readonly version: string;
  /** The time of the deploy that the plan replaces; null for the first one. Every deploy of an agent has its own time. */
  readonly replaces: string | null;
}

export const PLAN_MINUTES = 10;

const PURPOSE = 'mcp deploy plan';
const EXPIRY_BYTES = 4;
const TIME_BYTES = 6;
const SIGNATURE_BYTES = 16;
const TOKEN = /^plan_([\w-]{35})$/;

const signedText = ({ workspace, actor }: Principal, agent: string, version: string, head: Buffer): string =>
  JSON.stringify([workspace, actor, agent, version, head.toString('hex')]);

/** A short text that a model can repeat without errors: when it expires, which deploy the plan replaces, and a signature of
 *  these and of workspace, key, agent and version. */
export const issuePlanToken = (
  encryptor: Pick<Encryptor, 'sign'>,
  principal: Principal,
  { agent, version, replaces }: Plan,
  now = Date.now(),
): { plan_token: string; expires_at: string } => {
  const expires = Math.floor(now / 1_000) + PLAN_MINUTES * 60;
  const head = Buffer.alloc(EXPIRY_BYTES + TIME_BYTES);
  head.writeUInt32BE(expires, 0);
  head.writeUIntBE(replaces === null ? 0 : Date.parse(replaces), EXPIRY_BYTES, TIME_BYTES);
  const signature = encryptor.sign(signedText(principal, agent, version, head), PURPOSE);
  const token = Buffer.concat([head, signature.subarray(0, SIGNATURE_BYTES)]).toString('base64url');
  return { plan_token: `plan_${token}`, expires_at: new Date(expires * 1_000).toISOString() };
};

/** The deploy that the plan replaces. Throws unless the token was issued for this key, agent and version, and is valid now. */
export const readPlanToken = (
  encryptor: Pick<Encryptor, 'isSigned'>,
  principal: Principal,
  { agent, version, token }: { agent: string; version: string; token: string },
  now = Date.now(),
): string | null => {
  const bytes = Buffer.from(TOKEN.exec(token)?.[1] ?? '', 'base64url');
  const head = bytes.subarray(0, EXPIRY_BYTES + TIME_BYTES);
  const signature = bytes.subarray(EXPIRY_BYTES + TIME_BYTES);
  const text = signedText(principal, agent, version, head);
  if (signature.length !== SIGNATURE_BYTES || !encryptor.isSigned(text, PURPOSE, signature))
    throw invalidField(
      'plan_token',
      'is not a plan for this agent and version by this key. Call show_deploy_impact and send its plan_token unchanged.',
    );
  if (head.readUInt32BE(0) * 1_000 <= now)
    throw conflict(
      'The plan token has expired. Call show_deploy_impact again, review the impact, and deploy with the new token.',
    );
  const time = head.readUIntBE(EXPIRY_BYTES, TIME_BYTES);
  return time === 0 ? null : new Date(time).toISOString();
};
