import type { IncomingHttpHeaders } from 'node:http';
import type { CallEvent } from '../calls/call.schema.ts';
import type { SessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';

/** A platform's request, whose caller is not known yet. */
export interface PlatformRequest {
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly body: string;
  /** As the service sees it, which can differ behind a proxy. */
  readonly url: string;
  readonly query: URLSearchParams;
}

/** A call as a platform reports it. A disposition that the workspace does not define is left out. */
export interface PlatformReport {
  readonly event: CallEvent;
  readonly turns: readonly Turn[];
  /** Whether the turns follow those that were reported before. */
  readonly isPart?: true;
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
  read(
    body: Readonly<Record<string, unknown>>,
    request: PlatformRequest,
  ): { start: SessionCreate } | PlatformReport | undefined;
  /** The same for a form, if the platform sends forms, too. */
  readForm?(
    form: URLSearchParams,
    request: PlatformRequest,
  ): { start: SessionCreate } | PlatformReport | undefined;
  /** The response to a message that starts a session: JSON, or XML as a text. The hook is where the platform can report this call. */
  answer(session: PlatformSession, hook: string): object | string;
  /** The response to any other message. Default: an empty object. */
  readonly received?: string;
}
