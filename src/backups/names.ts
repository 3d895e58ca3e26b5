import type { Database } from '../db/database.ts';

/** What the name of a backup says about it. */
export interface BackupInfo {
  /** The moment the backup shows, in ISO 8601. */
  readonly created_at: string;
  readonly engine: Database['engine'];
  /** The schema version of the database. */
  readonly schema: number;
  readonly encrypted: boolean;
}

const EXTENSIONS = { sqlite: 'db', postgres: 'dump' } as const;

const NAME =
  /^roster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(sqlite|postgres)-schema(\d+)\.(db|dump)(\.age)?$/;

/** Names sort by time, and a list needs no other source. */
export const backupName = ({ created_at, engine, schema, encrypted }: BackupInfo): string =>
  `roster-${created_at.replace(/[-:.]/g, '')}-${engine}-schema${schema}.${EXTENSIONS[engine]}${encrypted ? '.age' : ''}`;

/** Undefined if the name is not one of a backup. */
export const parseBackupName = (name: string): BackupInfo | undefined => {
  const [, year, month, day, hour, minute, second, ms, engine, schema, , age] = NAME.exec(name) ?? [];
  const created_at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
  if (Number.isNaN(Date.parse(created_at))) return undefined;
  const info: BackupInfo = {
    created_at,
    engine: engine === 'sqlite' ? 'sqlite' : 'postgres',
    schema: Number(schema),
    encrypted: age !== undefined,
  };
  return backupName(info) === name ? info : undefined;
};

/** The manifest of a backup is written last: a backup without one is incomplete. */
export const manifestName = (name: string): string => `${name}.json`;
