import type { MaybePromise } from './maybe-promise.ts';

/** The span of one request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the work of the request, so that its operations become children of the span. */
  run<T>(work: () => T): T;
  /** Without a route, none matched. */
  end(route: string | undefined, status: number): void;
}

interface OperationSpan {
  readonly name: string;
  readonly kind: string;
  readonly engine: 'sqlite' | 'postgres';
}

/** Runs background work in a span of its own. */
export type TraceBackground = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Creates spans and exports them. It exists only if tracing is on (see opentelemetry.ts). Names and attributes come from the
 *  code, never from a request or a record: traces leave the machine. */
export interface Tracing {
  startRequest(method: string, scheme: 'http' | 'https', traceparent: string | undefined): RequestSpan;
  /** Runs an operation in a span, if it belongs to a request or to background work. */
  runOperation<T>(span: OperationSpan, run: () => MaybePromise<T>): MaybePromise<T>;
  readonly runBackground: TraceBackground;
  /** Sends the remaining spans, for a limited time. */
  stop(): Promise<void>;
}

/** Version, trace id, parent id, flags, and the fields that a later version may append. */
const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** The trace of a caller. Parses a `traceparent` as the W3C recommendation Trace Context says; an invalid one is ignored. node:http joins repeated
 *  headers with a comma, which makes them invalid. */
export const parseTraceParent = (header: string) => {
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = '', more] = FORM.exec(header) ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};
