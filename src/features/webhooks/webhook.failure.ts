const HANDSHAKE_FAILED =
  'The TLS handshake with the receiver failed. Check that it serves https on this port.';

const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist.',
  ENODATA: 'The host name has no address.',
  ETIMEOUT: 'The DNS servers of the host did not answer.',
  ESERVFAIL: 'The DNS servers of the host failed.',
  EREFUSED: 'The DNS servers of the host refused the query.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection without a response.',
  EPIPE: 'The receiver closed the connection without a response.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
  EHOSTUNREACH: 'The address of the receiver is unreachable.',
  ENETUNREACH: 'The address of the receiver is unreachable.',
  HPE_HEADER_OVERFLOW: 'The headers of the response are larger than 16 KB.',
  CERT_HAS_EXPIRED: 'The TLS certificate of the receiver has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate of the receiver is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate of the receiver is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate of the receiver is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The TLS certificate of the receiver is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate chain of the receiver is incomplete.',
  EPROTO: HANDSHAKE_FAILED,
};

/** Describes an error of the system or of TLS without its own words, which can contain addresses. */
export const describeError = (error: unknown): string => {
  // An error of several attempted addresses has the last one.
  const last = error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error;
  const code = String((last as { code?: unknown } | undefined)?.code ?? 'unknown error');
  const sentence = SENTENCES[code];
  if (sentence) return sentence;
  if (code.startsWith('HPE_')) return 'The receiver did not answer in valid HTTP.';
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return HANDSHAKE_FAILED;
  return `The request failed (${code}).`;
};

/** Describes an error after the headers of a response arrived. */
export const describeBrokenResponse = (status: number, error: unknown): string => {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  return code.startsWith('HPE_')
    ? `The receiver answered ${status}, but its response is not valid HTTP. Check its Content-Length.`
    : `The receiver answered ${status}, but closed the connection before the end of its response.`;
};

export type WebhookPhase = 'resolve' | 'connect' | 'answer' | 'body';

export const describeTimeout = (phase: WebhookPhase, timeoutMs: number): string => {
  const time = `within ${timeoutMs / 1_000} seconds`;
  return {
    resolve: `The host name was not resolved ${time}.`,
    connect: `No connection to the receiver was established ${time}.`,
    answer: `The receiver did not answer ${time}.`,
    body: `The receiver did not finish its response ${time}.`,
  }[phase];
};
