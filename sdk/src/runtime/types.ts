import type { Body, Data, Schemas } from '../types.ts';

/** Who calls or is called, in the words of the provider. */
export type SessionInput = Body<'startSession'>;

/** What the agent needs to speak with one person. */
export type Session = Schemas['Session'];

/** The live version with its text for a person, who is known if there is a contact. */
export type ChannelAgent = Required<Data<'getChannelAgent'>>;

/** What happened in a call or message. */
export type CallEvent = Schemas['CallEvent'];

export type RecordedCall = Schemas['RecordedCall'];
