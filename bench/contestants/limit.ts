import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The limit of the runtime: a bare server that sends the bytes of one response, including its headers, with the body
 *  built again for each request, without a database and without authentication. Request bodies are read, parsed and
 *  discarded. */
const { PORT, ANSWER = '' } = process.env;
const { status, headers, body } = JSON.parse(readFileSync(ANSWER, 'utf8')) as {
  status: number;
  headers: Record<string, string>;
  body: unknown;
};

createServer((request, response) => {
  const answer = () => {
    const text = JSON.stringify(body);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  };
  if (request.method === 'GET') return answer();
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      answer();
    });
}).listen(Number(PORT), '127.0.0.1');
