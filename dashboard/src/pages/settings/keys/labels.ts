import type { Key } from '../../../api/types.gen.ts';
import type { Tone } from '../../../ui/badge.tsx';

export const scopeLabels: Record<Key['scope'], string> = {
  read_write: 'Read and write',
  read: 'Read only',
};

const SOON_MS = 7 * 24 * 3_600_000;

/** The status of a key. */
export const keyStatus = (
  { revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>,
  now = Date.now(),
): { label: string; tone: Tone } => {
  if (revoked_at) return { label: 'Revoked', tone: 'danger' };
  const left = expires_at ? new Date(expires_at).getTime() - now : Number.POSITIVE_INFINITY;
  if (left <= 0) return { label: 'Expired', tone: 'plain' };
  return left < SOON_MS ? { label: 'Expires soon', tone: 'warn' } : { label: 'Active', tone: 'good' };
};

/** The end of a day in the browser's time zone. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The date in a number of days, in the format of a date field. */
export const dayAfter = (days: number, now = new Date()): string => {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};
