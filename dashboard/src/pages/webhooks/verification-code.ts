import { t } from '../../lib/i18n.ts';

/** Code that verifies the signature of an event, by language. The secret is in the environment variable WEBHOOK_SECRET. */
export const verificationCode = {
  typescript: {
    label: t('TypeScript'),
    install: 'npm install @roster/client',
    code: `import { WebhookVerificationError, webhooks } from '@roster/client';

const secret = process.env.WEBHOOK_SECRET ?? '';

export const receive = async (request: Request): Promise<Response> => {
  try {
    const body = await request.text();
    const event = await webhooks.verify<{ id: string; type: string }>(body, request.headers, secret);
    console.log(event.id, event.type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(null, { status: 401 });
    throw error;
  }
};`,
  },
  node: {
    label: t('Node.js'),
    install: 'npm install standardwebhooks',
    code: `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers);
    console.log(event.id, event.type);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 8080);`,
  },
  python: {
    label: t('Python'),
    install: 'pip install standardwebhooks',
    code: `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
            print(event["id"], event["type"])
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(401)
        self.end_headers()

HTTPServer(("", 8080), Receiver).serve_forever()`,
  },
  shell: {
    label: t('OpenSSL'),
    install: undefined,
    code: `# Prints the signature that the header webhook-signature must contain.
# ID and TIMESTAMP are the headers webhook-id and webhook-timestamp.
KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
{ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary |
  { printf 'v1,'; base64; }`,
  },
} as const;

export type Language = keyof typeof verificationCode;
