/** The trace of a caller, from the W3C header `traceparent`. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version, trace id, parent id, flags, and the fields that a later version may append. */
const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Parses a `traceparent` as the W3C recommendation Trace Context says; an invalid one is ignored. node:http joins repeated
 *  headers with a comma, which makes them invalid. */
export const parseTraceParent = (header: string): TraceParent | undefined => {
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = '', more] = FORM.exec(header) ?? [];
  if (traceId === NO_TRACE || spanId === NO_SPAN || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};
