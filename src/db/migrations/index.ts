import { DatabaseSetupError } from '../database.ts';
import { records } from './0001_records.ts';
import { world } from './0002_world.ts';
import { imports } from './0003_imports.ts';
import { links } from './0004_links.ts';
import { pages } from './0005_pages.ts';
import { places } from './0006_places.ts';
import { retries } from './0007_retries.ts';
import { limits } from './0008_limits.ts';
import { audit } from './0009_audit.ts';
import { versions } from './0010_versions.ts';
import { merges } from './0011_merges.ts';
import { trunkPrefixes } from './0012_trunk_prefixes.ts';
import { accounts } from './0013_accounts.ts';
import { rotation } from './0014_rotation.ts';
import { importFiles } from './0015_import_files.ts';
import { importSamples } from './0016_import_samples.ts';
import { limitTimes } from './0017_limit_times.ts';
import { scopes } from './0018_scopes.ts';
import { claims } from './0019_claims.ts';
import { contactLists } from './0020_contact_lists.ts';
import { events } from './0021_events.ts';
import { webhooks } from './0022_webhooks.ts';
import { timeZone } from './0023_time_zone.ts';
import { versionOrigins } from './0024_version_origins.ts';
import { workspaceLife } from './0025_workspace_life.ts';
import { bulkJobs } from './0026_bulk_jobs.ts';
import { importReasons } from './0027_import_reasons.ts';
import { callLists } from './0028_call_lists.ts';
import { contactChanges } from './0029_contact_changes.ts';
import { campaignSchedules } from './0030_campaign_schedules.ts';
import { contactFilters } from './0031_contact_filters.ts';
import { savedViews } from './0032_saved_views.ts';
import { auditByTime } from './0033_audit_by_time.ts';
import { callsOfContactByTime } from './0034_calls_of_contact_by_time.ts';
import { importBytes } from './0035_import_bytes.ts';
import { jobsOfWorkspace } from './0036_jobs_of_workspace.ts';
import { noticeActors } from './0037_notice_actors.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  records,
  world,
  imports,
  links,
  pages,
  places,
  retries,
  limits,
  audit,
  versions,
  merges,
  trunkPrefixes,
  accounts,
  rotation,
  importFiles,
  importSamples,
  limitTimes,
  scopes,
  claims,
  contactLists,
  events,
  webhooks,
  timeZone,
  versionOrigins,
  workspaceLife,
  bulkJobs,
  importReasons,
  callLists,
  contactChanges,
  campaignSchedules,
  contactFilters,
  savedViews,
  auditByTime,
  callsOfContactByTime,
  importBytes,
  jobsOfWorkspace,
  noticeActors,
];

/** The migrations after the first `applied` ones. Rejects a database that a newer Roster has written. */
export const pendingAfter = (applied: number): readonly Migration[] => {
  if (applied > migrations.length) {
    throw new DatabaseSetupError(
      `The database has schema version ${applied}; this version of Roster supports ${migrations.length}. Start the newer version that wrote it.`,
    );
  }
  return migrations.slice(applied);
};
