import { listBackups, separateFuture } from '../../backups/backup-store.ts';
import { BackupError } from '../../backups/object-store.ts';
import { openStore } from '../../backups/open-store.ts';
import { describeTarget } from '../../backups/target.ts';
import type { Config } from '../../config/config.ts';
import { dumpProblem } from '../../db/postgres/client-tools.ts';
import { type Diagnosis, ok, problem, warning } from '../../lib/diagnosis.ts';

/** Checks the target of scheduled backups and its newest one, and the tools of PostgreSQL. */
export async function* diagnoseBackups({ backup }: Config): AsyncGenerator<Diagnosis> {
  const { schedule, to, s3, database } = backup;
  if (!schedule || !to) return;
  const missing =
    database.engine === 'postgres' ? await dumpProblem(database.url).catch(() => undefined) : undefined;
  if (missing) {
    const [reason = '', ...fix] = missing.split('. ');
    yield problem('Backups', `${reason}.`, fix.join('. '));
    return;
  }
  const where = describeTarget(to);
  try {
    const backups = await listBackups(await openStore(to, s3, () => () => {}));
    const [newest] = separateFuture(backups, Date.now()).current;
    const due = schedule.previous(new Date()).toISOString();
    yield newest && newest.createdAt >= due
      ? ok('Backups', `The newest at ${where} is from ${newest.createdAt}.`)
      : warning(
          'Backups',
          `The backup of ${due} is missing at ${where}${newest ? `; the newest is from ${newest.createdAt}` : ''}.`,
          'Start the service, which runs it, or read "backup failed" in its log.',
        );
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    yield problem('Backups', error.message, 'Correct BACKUP_TO or the target.');
  }
}
