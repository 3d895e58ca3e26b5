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
    /** In milliseconds. */
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
    timeouts: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
