import { KEY } from '../../kit/service/test-service.ts';

const AGENT = '{"name":"smuggled","instructions":""}';
const AUTH = `Host: roster.test\r\nAuthorization: Bearer ${KEY}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** A request that must never get a response: it is inside the body of another one. */
const SMUGGLED = `POST /v1/agents HTTP/1.1\r\n${AUTH}${JSON_TYPE}Content-Length: ${AGENT.length}\r\n\r\n${AGENT}`;

const post = (headers: string, body: string) =>
  `POST /v1/agents HTTP/1.1\r\n${AUTH}${JSON_TYPE}${headers}\r\n${body}`;
const get = (headers: string, path = '/v1/agents') => `GET ${path} HTTP/1.1\r\n${AUTH}${headers}\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** Malformed and smuggled requests by name, with the allowed statuses of the first response. 'none' is a connection
 *  that is closed without a response. */
export const rawRequests: readonly (readonly [name: string, bytes: string, ...statuses: (number | 'none')[]])[] = [
  ['length and chunks', post(`Content-Length: 4\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`), 400],
  ['chunks and length', post(`${CHUNKED}Content-Length: 4\r\n`, `0\r\n\r\n${SMUGGLED}`), 400],
  ['two lengths', post(`Content-Length: 2\r\nContent-Length: ${SMUGGLED.length}\r\n`, `{}${SMUGGLED}`), 400],
  ['one length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n', `{}${SMUGGLED}`), 400],
  ['a list of lengths', post('Content-Length: 2, 2\r\n', `{}${SMUGGLED}`), 400],
  ['a negative length', post('Content-Length: -1\r\n', SMUGGLED), 400],
  ['a signed length', post('Content-Length: +2\r\n', `{}${SMUGGLED}`), 400],
  ['a length in hexadecimal', post('Content-Length: 0x2\r\n', `{}${SMUGGLED}`), 400],
  ['a length beyond numbers', post('Content-Length: 99999999999999999999\r\n', '{}'), 400],
  ['an empty length', post('Content-Length: \r\n', SMUGGLED), 400],
  ['a length with a space before its colon', post('Content-Length : 2\r\n', `{}${SMUGGLED}`), 400],
  ['chunks with a space before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['another coding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['chunks and another coding after', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['chunks in quotes', post('Transfer-Encoding: "chunked"\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['chunks with a control character', post('Transfer-Encoding: \vchunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['compressed chunks', post('Transfer-Encoding: gzip, chunked\r\n', `${chunk(SMUGGLED)}0\r\n\r\n`), 400],
  ['a folded header', get(`X-Folded: a\r\n ${CHUNKED}`), 200, 400],
  ['a folded coding', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
  ['bare line feeds', get('X: y\r\n').replaceAll('\r\n', '\n'), 400],
  ['one bare line feed', get(`X: y\n${CHUNKED}`), 400],
  ['a bare carriage return', get(`X: y\r${CHUNKED}`), 400],
  ['a line feed between chunks', post(CHUNKED, `2\n{}\n0\n\n${SMUGGLED}`), 400],
  ['a chunk of a wrong size', post(CHUNKED, `1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400],
  ['a chunk of a negative size', post(CHUNKED, `-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400],
  ['a chunk of a size beyond numbers', post(CHUNKED, `fffffffffffffffff\r\n{}\r\n0\r\n\r\n`), 400],
  ['a chunk with 0x', post(CHUNKED, `0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400],
  ['chunk extensions', post(CHUNKED, `2;a=b;c="d"\r\n{}\r\n0\r\n\r\n`), 400],
  ['a chunk extension with a line feed', post(CHUNKED, `2;a\nb\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400],
  ['chunk extensions without end', post(CHUNKED, `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`), 400],
  ['a length in the trailers', post(CHUNKED, `${chunk('{}')}0\r\nContent-Length: 100\r\n\r\n`), 400],
  ['trailers without end', post(CHUNKED, `${chunk('{}')}0\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`), 400],
  ['chunks in HTTP/1.0', post(CHUNKED, `${chunk('{}')}0\r\n\r\n`).replace('HTTP/1.1', 'HTTP/1.0'), 400],
  ['the whole address', get('', 'http://elsewhere.example/v1/agents'), 200],
  ['the whole address with a name', get('', 'http://a:b@elsewhere.example/v1/agents'), 200],
  ['a scheme that is none', get('', 'gopher://elsewhere.example/v1/agents'), 400, 404],
  ['an authority', `CONNECT elsewhere.example:443 HTTP/1.1\r\n${AUTH}\r\n`, 'none'],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${AUTH}\r\n`, 400, 404, 405],
  ['a method that is none', `SMUGGLE /v1/agents HTTP/1.1\r\n${AUTH}\r\n`, 400],
  ['a method in small letters', `get /v1/agents HTTP/1.1\r\n${AUTH}\r\n`, 400],
  ['a method with a space before', ` GET /v1/agents HTTP/1.1\r\n${AUTH}\r\n`, 400],
  ['TRACE', `TRACE /v1/agents HTTP/1.1\r\n${AUTH}\r\n`, 405],
  ['a version that is none', `GET /v1/agents HTTP/1.7\r\n${AUTH}\r\n`, 400, 200],
  ['a version of the future', `GET /v1/agents HTTP/9.9\r\n${AUTH}\r\n`, 400],
  ['no version', 'GET /v1/agents\r\n\r\n', 400, 401],
  ['a space in the path', get('', '/v1/agents x'), 400],
  ['a zero byte in the path', get('', '/v1/\0agents'), 400],
  ['a zero byte in a header', get('X: a\0b\r\n'), 400],
  ['a header without a name', get(': x\r\n'), 400],
  ['a header without a colon', get('X-Header\r\n'), 400],
  ['a name with a space', get('X Header: x\r\n'), 400],
  ['two hosts', get('Host: elsewhere.example\r\n'), 200, 400],
  ['an upgrade', get('Connection: Upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'), 200],
  ['an upgrade with a body', post(`Connection: Upgrade, close\r\nUpgrade: websocket\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED), 400],
  ['headers of 8 KiB', get(`X: ${'x'.repeat(8_200)}\r\n`), 400],
  ['headers of a megabyte', get(`X: ${'x'.repeat(1_000_000)}\r\n`), 400],
  ['10,000 headers', get(Array.from({ length: 10_000 }, (_, at) => `X-${at}: y\r\n`).join('')), 400],
  ['10,000 parameters', get('', `/v1/agents?${Array.from({ length: 10_000 }, (_, at) => `p${at}=1`).join('&')}`), 400],
  ['all parameters that fit', get('', `/v1/agents?${Array.from({ length: 1_400 }, (_, at) => `p${at}`).join('&')}`), 400],
  [
    'a body behind a refused request',
    `POST /v1/agents HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
    401,
  ],
  ['a body behind an address that is none', post(`Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED).replace('/v1/agents', '/nowhere'), 404],
  ['a body of a GET', get(`Content-Length: ${SMUGGLED.length}\r\n`) + SMUGGLED, 200],
  ['a body in another type', post(`Content-Length: ${SMUGGLED.length}\r\n`, SMUGGLED).replace('application/json', 'text/plain'), 415],
]; // biome-ignore format: a table
