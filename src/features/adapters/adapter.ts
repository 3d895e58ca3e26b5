import type { IncomingHttpHeaders } from 'node:http';
import type { CallEvent } from '../calls/call.schema.ts';
import type { SessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';

/** A platform's request, whose caller is not known yet. */
export interface PlatformRequest {
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly body: string;
}

/** A call as a platform reports it. A disposition that the workspace does not define is left out. */
export interface PlatformReport {
  readonly event: CallEvent;
  readonly turns: readonly Turn[];
}

/** What a session returns, as far as a platform needs it. */
export interface PlatformSession {
  readonly session_id: string;
  readonly contact: Readonly<Record<string, unknown>> | null;
  readonly instructions: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a voice platform sends and expects, translated to sessions and results. */
export interface Adapter {
  /** What proves that a request is the platform's, for the error: a header and how to get it right. */
  readonly proof: string;
  /** Which secret proves a request: the channel's, or one of the platform. A request without a proof is refused before its body is read. */
  provenBy(headers: IncomingHttpHeaders): 'secret' | 'platform_secret' | undefined;
  isAuthentic(request: PlatformRequest, secret: string): boolean;
  /** Undefined if the message means nothing to Roster. */
  read(body: Readonly<Record<string, unknown>>): { start: SessionCreate } | PlatformReport | undefined;
  /** The same for a form, if the platform sends forms, too. */
  readForm?(form: Readonly<Record<string, unknown>>): PlatformReport | undefined;
  /** The response to a message that starts a session. */
  answer(session: PlatformSession): object;
}
