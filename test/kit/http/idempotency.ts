import type { Reply } from '../service/test-service.ts';

/** The options of a call with an idempotency key. */
export const withIdempotencyKey = (key: string, headers: Record<string, string> = {}) => ({
  headers: { 'idempotency-key': key, ...headers },
});

export const isReplay = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true';
