import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { initializeLogger, voice } from '@livekit/agents';
import { AgentSession as pb } from '@livekit/protocol';

const HEADER = 4;

/** The frames of LiveKit's console on an accepted connection. */
class AcceptedTransport extends voice.SessionTransport {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
  }

  async sendMessage(message: pb.AgentSessionMessage): Promise<void> {
    const data = Buffer.from(message.toBinary());
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(data.length);
    this.#socket.write(Buffer.concat([header, data]));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<pb.AgentSessionMessage> {
    let buffer = Buffer.alloc(0);
    for await (const chunk of this.#socket) {
      buffer = Buffer.concat([buffer, chunk]);
      while (buffer.length >= HEADER) {
        const end = HEADER + buffer.readUInt32BE(0);
        if (buffer.length < end) break;
        yield pb.AgentSessionMessage.fromBinary(buffer.subarray(HEADER, end));
        buffer = buffer.subarray(end);
      }
    }
  }
}

const resolver = new URL('../sdk/resolve.ts', import.meta.url).href;
const worker = fileURLToPath(new URL('./livekit.worker.ts', import.meta.url));

/** A conversation with the worker of the example: a process that LiveKit's framework runs in its console mode, without a server. */
export const startConversation = async (environment: Record<string, string>) => {
  initializeLogger({ pretty: false, level: 'error' });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(
    process.execPath,
    ['--import', resolver, worker, 'console', '--connect-addr', address, '--log-level', 'warn'],
    { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(String(data)));
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`The worker ended with ${code}: ${output.join('')}`);
  });
  failed.catch(() => {});
  const [socket] = (await Promise.race([once(server, 'connection'), failed])) as [Socket];
  const session = new voice.RemoteSession(new AcceptedTransport(socket));
  await session.start();
  return {
    /** Says something and returns what the agent answered. */
    say: async (text: string): Promise<string[]> => {
      const { items } = await Promise.race([session.sendMessage(text), failed]);
      return items.flatMap(({ item }) =>
        item.case === 'message' && item.value.role === pb.ChatRole.ASSISTANT
          ? item.value.content.map(({ payload }) => String(payload.value))
          : [],
      );
    },
    /** Waits until the worker has ended, after the agent ended the call or `hangUp`. */
    ended: async (): Promise<string> => {
      await exited;
      await session.close();
      server.close();
      return output.join('');
    },
    hangUp: () => child.kill('SIGTERM'),
  };
};
