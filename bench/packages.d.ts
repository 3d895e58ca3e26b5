/** The part of autocannon that the benchmark uses; the package has no types. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string | undefined;
    headers?: Record<string, string>;
    body?: string;
  }
  interface Options extends Request {
    url: string;
    connections: number;
    duration?: number;
    /** In milliseconds. */
    sampleInt?: number;
    timeout?: number;
    requests?: { setupRequest: (request: Request) => Request }[];
  }
  interface Result {
    /** In seconds. */
    duration: number;
    requests: { total: number };
    non2xx: number;
    errors: number;
    timeouts: number;
  }
  interface Run extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void;
  }
  export default function autocannon(options: Options): Run;
}
