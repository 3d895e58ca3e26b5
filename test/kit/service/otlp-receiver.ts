import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
}

type Field = readonly [number: number, value: Buffer | number];

/** The fields of a protobuf message: lengths are bytes, all others numbers. */
const fieldsOf = (bytes: Buffer): Field[] => {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wireType = tag & 7;
    if (wireType === 0) fields.push([tag >> 3, varint()]);
    else {
      const length = wireType === 2 ? varint() : wireType === 1 ? 8 : 4;
      fields.push([tag >> 3, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
};

const messagesOf = (bytes: Buffer, field: number): Buffer[] =>
  fieldsOf(bytes).flatMap(([number, value]) => (number === field ? [value as Buffer] : []));

const textOf = (bytes: Buffer, field: number): string => messagesOf(bytes, field)[0]?.toString() ?? '';
const hexOf = (bytes: Buffer, field: number): string => messagesOf(bytes, field)[0]?.toString('hex') ?? '';
const numberOf = (bytes: Buffer, field: number): number =>
  fieldsOf(bytes).find(([number]) => number === field)?.[1] as number;

const attributesOf = (bytes: Buffer, field: number): Record<string, string | number> =>
  Object.fromEntries(
    messagesOf(bytes, field).map((pair) => {
      const [value] = messagesOf(pair, 2).flatMap(fieldsOf);
      return [textOf(pair, 1), typeof value?.[1] === 'number' ? value[1] : String(value?.[1])];
    }),
  );

/** Decodes an ExportTraceServiceRequest of OTLP. */
const spansOf = (body: Buffer): ReceivedSpan[] =>
  messagesOf(body, 1).flatMap((ofResource) => {
    const resource = Object.assign({}, ...messagesOf(ofResource, 1).map((each) => attributesOf(each, 1)));
    return messagesOf(ofResource, 2)
      .flatMap((ofScope) => messagesOf(ofScope, 2))
      .map((span) => ({
        traceId: hexOf(span, 1),
        spanId: hexOf(span, 2),
        parentId: hexOf(span, 4),
        name: textOf(span, 5),
        kind: numberOf(span, 6),
        status: messagesOf(span, 15).map((status) => numberOf(status, 3) ?? 0)[0] ?? 0,
        attributes: attributesOf(span, 9),
        resource,
      }));
  });

/** A receiver of traces over OTLP/HTTP, as a collector is one. */
export const startOtlpReceiver = async (status = 200) => {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const received = Buffer.concat(await request.toArray());
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received;
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (status === 200) spans.push(...spansOf(body));
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
