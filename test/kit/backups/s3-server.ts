import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request: an answer with this status, a closed connection, or an answer that ends after half of it. */
export type Fault = number | 'drop' | 'cut' | undefined;

export interface S3Server {
  /** The environment of a command that uses this store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  /** The size of the largest body. */
  readonly largestBody: number;
  /** Decides the fate of each request. */
  fault: (request: string) => Fault;
  stop(): Promise<void>;
}

export const BUCKET = 'backups';

/** An S3 server that verifies signatures (s3rver), behind a proxy that also requires them, compares bodies with the signed
 *  SHA-256 and the MD5, and can fail. */
export const startS3 = async (): Promise<S3Server> => {
  const child = fork(new URL('./s3-server.process.ts', import.meta.url), {
    execArgv: ['--openssl-legacy-provider'],
  });
  const [port] = await once(child, 'message');
  const requests: string[] = [];
  let largestBody = 0;

  const refuse = (response: ServerResponse, status: number, code: string) =>
    response
      .writeHead(status)
      .end(`<Error><Code>${code}</Code><Message>refused by the test</Message></Error>`);

  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    largestBody = Math.max(largestBody, body.length);
    requests.push(`${method} ${url}`);
    const fault = server.fault(`${method} ${url}`);
    if (fault === 'drop') return incoming.socket.destroy();
    if (typeof fault === 'number') return refuse(response, fault, 'InternalError');
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refuse(response, 403, 'AccessDenied');
    if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256'])
      return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    if (body.length > 0 && createHash('md5').update(body).digest('base64') !== headers['content-md5'])
      return refuse(response, 400, 'BadDigest');
    const options = { host: '127.0.0.1', port, method, path: url, headers, agent: false };
    request(options, async (answer) => {
      const content = await buffer(answer);
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (fault !== 'cut') return response.end(content);
      response.write(content.subarray(0, content.length >> 1), () => response.destroy());
    }).end(body);
  };
  const proxy = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const server: S3Server = {
    environment: {
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
    requests,
    get largestBody() {
      return largestBody;
    },
    fault: () => undefined,
    stop: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      child.disconnect();
      await once(child, 'exit');
    },
  };
  return server;
};
