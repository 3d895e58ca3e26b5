import type { Key } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import type { Tone } from '../../../ui/badge.tsx';

export const scopeLabels: Record<Key['scope'], string> = {
  read_write: t('Read and write'),
  read: t('Read only'),
  custom: t('Custom'),
};

export type KeyScope = Key['scopes'][number];

/** The scopes of a custom key, by what they are about. */
export const scopeGroups: Readonly<Record<string, Partial<Record<KeyScope, string>>>> = {
  [t('Contacts')]: {
    'contacts:read': t('Read, search and export contacts and tags'),
    'contacts:write': t('Create, update, tag and delete contacts'),
    'contacts:merge': t('Merge contacts and undo merges; needs contacts:read'),
    'imports:write': t('Upload, review, apply and undo imports'),
  },
  [t('Agents')]: {
    'agents:read': t('Read agents, versions and deploys'),
    'agents:write': t('Create, update and delete agents, and draft versions'),
    'agents:deploy': t('Deploy and roll back versions: callers hear them immediately'),
  },
  [t('Channels and calls')]: {
    'channels:read': t('Read channels'),
    'channels:write': t(
      'Change and delete channels; with agents:read, contacts:read, contacts:write and calls:read also create and connect them and rotate secrets',
    ),
    'calls:read': t('Read calls and messages'),
    'calls:write': t('Write transcripts, notes and tags'),
  },
  [t('Campaigns')]: {
    'campaigns:read': t('Read campaigns and enrollments'),
    'campaigns:write': t(
      'Change campaigns and claim contacts; with contacts:read also enroll, with agents:read also create',
    ),
  },
  [t('Workspace')]: {
    'events:read': t('Read events with snapshots of all records'),
    'audit:read': t('Read the audit log'),
    admin: t(
      'Manage keys, users and settings, with contacts:read and contacts:write also integrations, with events:read also webhooks. Grant this like the owner role.',
    ),
  },
};

const SOON_MS = 7 * 24 * 3_600_000;

/** The status of a key. */
export const keyStatus = (
  { revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>,
  now = Date.now(),
): { label: string; tone: Tone } => {
  if (revoked_at) return { label: t('Revoked'), tone: 'danger' };
  const left = expires_at ? new Date(expires_at).getTime() - now : Number.POSITIVE_INFINITY;
  if (left <= 0) return { label: t('Expired'), tone: 'plain' };
  return left < SOON_MS ? { label: t('Expires soon'), tone: 'warn' } : { label: t('Active'), tone: 'good' };
};

/** The end of a day in the browser's time zone. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The date in a number of days, in the format of a date field. */
export const dayAfter = (days: number, now = new Date()): string => {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};
