/** What the dialer needs of your telephony: a module that exports `dial`. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Claim } from '@roster/client';
import type { CallEvent, Session } from '@roster/client/runtime';

/** Everything that a call needs. */
export interface Conversation {
  readonly call_id: string;
  readonly contact: Claim['contact'];
  readonly instructions: string;
  readonly config: Session['config'];
  readonly recent: Session['recent'];
  /** Call it when the person has answered. */
  readonly answered: () => void;
}

type Result = Pick<CallEvent, 'seconds' | 'disposition' | 'goals' | 'data' | 'summary' | 'ended_by'>;

/** What became of a call: its final status, and what the conversation came to. */
export type Outcome = Result & { readonly status: 'completed' | 'busy' | 'no_answer' | 'failed' };

/** Your telephony: calls the contact, speaks, and returns when the call has ended. */
export type Dial = (conversation: Conversation) => Promise<Outcome>;

/** Loads the module at a path. */
export const loadDial = async (path: string): Promise<Dial> => {
  const { dial } = await import(pathToFileURL(resolve(path)).href);
  if (typeof dial !== 'function') throw new TypeError(`${path} must export a function named dial.`);
  return dial;
};
