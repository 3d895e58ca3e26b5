import { createServer } from 'node:http';

/** A receiver of webhooks that reads and counts them. A GET returns the count. */
let count = 0;

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(`${count}`);
    return;
  }
  request.resume().on('end', () => {
    count++;
    response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
