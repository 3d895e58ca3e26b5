import { type Operation, OperationRegistry } from '../db/operation.ts';
import { ping, storeProbe } from '../db/sqlite/storage.ts';
import * as agents from '../features/agents/agent.service.ts';
import * as history from '../features/agents/deploy.history.ts';
import * as deploys from '../features/agents/deploy.service.ts';
import { diffVersions, patchVersions } from '../features/agents/version.diff.ts';
import { getOrigin, listOrigins } from '../features/agents/version.origin.ts';
import { findAuditEntries, listAuditEntries } from '../features/audit-log/audit-log.service.ts';
import * as bulk from '../features/bulk/bulk.service.ts';
import * as bulkSteps from '../features/bulk/bulk.step.ts';
import { versionOutcomes } from '../features/calls/call.outcomes.ts';
import * as calls from '../features/calls/call.service.ts';
import { exportCallsStep, listCalls } from '../features/calls/call-list.service.ts';
import { getCallStatistics } from '../features/calls/call-statistics.service.ts';
import { deleteCampaign, deleteCampaignStep } from '../features/campaigns/campaign.deletion.ts';
import * as campaigns from '../features/campaigns/campaign.service.ts';
import { claimContacts, describeClaims } from '../features/campaigns/claim.service.ts';
import { copyCampaign, walkEnrolledContacts } from '../features/campaigns/duplicate.service.ts';
import * as enrollments from '../features/campaigns/enrollment.service.ts';
import { deployImpact } from '../features/campaigns/impact.service.ts';
import { expireProgress } from '../features/campaigns/progress.expiry.ts';
import { getProgress } from '../features/campaigns/progress.service.ts';
import { endStep, startStep, zonesStep } from '../features/campaigns/schedule.jobs.ts';
import { getSchedule, updateSchedule } from '../features/campaigns/schedule.service.ts';
import { checkStart } from '../features/campaigns/start-check.service.ts';
import { channelEncryption } from '../features/channels/channel.encryption.ts';
import { revokeOldChannelSecret, rotateChannelSecret } from '../features/channels/channel.secrets.ts';
import * as channels from '../features/channels/channel.service.ts';
import { listConflicts } from '../features/contacts/conflict.service.ts';
import { batchContacts } from '../features/contacts/contact.batch.ts';
import { exportByIds, exportStep, walkContacts } from '../features/contacts/contact.export.ts';
import * as contacts from '../features/contacts/contact.service.ts';
import * as tagging from '../features/contacts/contact.tags.ts';
import { getContactByPhone, upsertContact } from '../features/contacts/contact.upsert.ts';
import { filterContacts, listSorted } from '../features/contacts/list.service.ts';
import { listTags } from '../features/contacts/tag.service.ts';
import { deleteEvents, isUnsequencedBefore } from '../features/events/event.expiry.ts';
import { sequenceEvents } from '../features/events/event.sequence.ts';
import * as feed from '../features/events/feed.service.ts';
import { getFigures } from '../features/figures/figures.service.ts';
import { expireAnswers, findAnswer, onceOf } from '../features/idempotency/idempotency.service.ts';
import * as apply from '../features/imports/apply.service.ts';
import { recordImportFailure } from '../features/imports/failure.notice.ts';
import * as imports from '../features/imports/import.service.ts';
import * as lifecycle from '../features/imports/lifecycle.service.ts';
import * as plans from '../features/imports/plan.service.ts';
import * as importReasons from '../features/imports/reasons.service.ts';
import * as replans from '../features/imports/replan.service.ts';
import * as undo from '../features/imports/undo.service.ts';
import {
  listIntegrationHealth,
  recordIntegrationHealth,
} from '../features/integrations/integration.health.ts';
import * as integrations from '../features/integrations/integration.service.ts';
import { noticeExpiringKeys } from '../features/notices/key-expiry.service.ts';
import * as notices from '../features/notices/notice.service.ts';
import { listTimeline } from '../features/timeline/timeline.service.ts';
import * as views from '../features/views/view.service.ts';
import { getAttempt, listAttempts } from '../features/webhooks/attempt.service.ts';
import { claimDeliveries } from '../features/webhooks/delivery.claim.ts';
import { recordResults } from '../features/webhooks/delivery.results.ts';
import * as deliveries from '../features/webhooks/delivery.service.ts';
import { cancelReplay, replayWebhook } from '../features/webhooks/replay.service.ts';
import * as webhookDeletion from '../features/webhooks/webhook.deletion.ts';
import { webhookEncryption } from '../features/webhooks/webhook.encryption.ts';
import { revokeOldWebhookSecret, rotateWebhookSecret } from '../features/webhooks/webhook.secrets.ts';
import * as webhooks from '../features/webhooks/webhook.service.ts';
import * as webhookTests from '../features/webhooks/webhook.test-send.ts';
import { isStillActive } from '../features/workspaces/actor.service.ts';
import * as keys from '../features/workspaces/key.service.ts';
import { createKeyCheck, findKeyCheck, replaceKeyCheck } from '../features/workspaces/key-check.ts';
import * as links from '../features/workspaces/link.service.ts';
import * as sessions from '../features/workspaces/session.service.ts';
import * as settings from '../features/workspaces/settings.service.ts';
import * as setUp from '../features/workspaces/setup.service.ts';
import * as signIn from '../features/workspaces/sign-in.limits.ts';
import { getTimeZone, updateTimeZone } from '../features/workspaces/time-zone.service.ts';
import * as users from '../features/workspaces/user.service.ts';
import * as workspaces from '../features/workspaces/workspace.service.ts';
import { listWorkspaceIds } from '../jobs/expiry.ts';
import { findDueJobs } from '../jobs/job.metrics.ts';
import * as jobs from '../jobs/job.service.ts';
import { expireChanges, expireEntries } from '../records/expiry.ts';

/** Every operation except `once`, which wraps another operation. */
const single: readonly Operation[] = [
  ping,
  storeProbe,
  findKeyCheck,
  createKeyCheck,
  replaceKeyCheck,
  setUp.findDefaultWorkspace,
  setUp.createDefaultWorkspace,
  workspaces.createWorkspace,
  workspaces.listWorkspaces,
  workspaces.requireWorkspace,
  keys.createKey,
  keys.listKeys,
  keys.listKeyDetails,
  keys.revokeKey,
  keys.findKey,
  keys.recordUse,
  users.addUser,
  users.findUser,
  users.findMember,
  users.findSelf,
  users.listUsers,
  users.setPassword,
  users.replaceHash,
  users.setRole,
  users.removeUser,
  links.createLink,
  links.inviteUser,
  links.redeemLink,
  sessions.openSession,
  sessions.findSession,
  isStillActive,
  sessions.getSessionInfo,
  sessions.closeSession,
  signIn.admitAttempt,
  signIn.settleAttempt,
  signIn.confirmFailure,
  views.listViews,
  views.getView,
  views.createView,
  views.updateView,
  views.deleteView,
  notices.listNotices,
  notices.markNoticesRead,
  notices.expireNotices,
  noticeExpiringKeys,
  contacts.getContact,
  contacts.listContacts,
  listSorted,
  filterContacts,
  contacts.createContact,
  contacts.updateContact,
  contacts.deleteContact,
  getContactByPhone,
  upsertContact,
  batchContacts,
  tagging.tagContacts,
  listTags,
  walkContacts,
  exportStep,
  exportByIds,
  listConflicts,
  agents.getAgent,
  agents.listAgents,
  agents.createAgent,
  agents.duplicateAgent,
  agents.updateAgent,
  agents.deleteAgent,
  deploys.getVersion,
  deploys.deployVersion,
  deploys.rollBack,
  history.listDeploys,
  history.listRecentDeploys,
  history.listVersions,
  history.listVersionDeploys,
  getOrigin,
  listOrigins,
  deploys.activeVersionAt,
  diffVersions,
  patchVersions,
  channels.getChannel,
  channels.listChannels,
  channels.createChannel,
  channels.updateChannel,
  rotateChannelSecret,
  revokeOldChannelSecret,
  channels.connectAgent,
  channels.disconnectChannel,
  channels.deleteChannel,
  channels.findHookChannel,
  channels.activeOnChannel,
  channelEncryption.list,
  channelEncryption.replace,
  listIntegrationHealth,
  recordIntegrationHealth,
  integrations.renameIntegration,
  integrations.createIntegration,
  integrations.listIntegrations,
  integrations.deleteIntegration,
  integrations.rotateIntegrationSecret,
  integrations.revokeOldIntegrationSecret,
  integrations.findHookIntegration,
  integrations.receiveContact,
  calls.recordCall,
  listCalls,
  exportCallsStep,
  getCallStatistics,
  calls.getCall,
  calls.contactActivity,
  versionOutcomes,
  campaigns.getCampaign,
  campaigns.listCampaigns,
  campaigns.createCampaign,
  campaigns.updateCampaign,
  enrollments.enrollContacts,
  enrollments.listEnrollments,
  enrollments.enrollmentsOfContact,
  enrollments.updateEnrollment,
  enrollments.deleteEnrollment,
  enrollments.listEnrolled,
  claimContacts,
  describeClaims,
  getSchedule,
  updateSchedule,
  startStep,
  endStep,
  zonesStep,
  expireProgress,
  deleteCampaign,
  deleteCampaignStep,
  copyCampaign,
  walkEnrolledContacts,
  getProgress,
  checkStart,
  deployImpact,
  getFigures,
  findAuditEntries,
  listAuditEntries,
  listWorkspaceIds,
  expireEntries,
  expireChanges,
  listTimeline,
  sequenceEvents,
  isUnsequencedBefore,
  deleteEvents,
  feed.feedState,
  feed.listFeed,
  feed.getEvent,
  settings.getSettings,
  settings.countryOf,
  settings.updateSettings,
  settings.renameWorkspace,
  getTimeZone,
  updateTimeZone,
  jobs.isJobDue,
  jobs.claimJob,
  jobs.postponeJob,
  jobs.isClockSetBack,
  jobs.rescheduleAfterClockChange,
  findDueJobs,
  plans.createImport,
  plans.planRows,
  plans.endPlan,
  plans.startReplan,
  replans.nextToReplan,
  replans.replanRows,
  apply.startApply,
  apply.applyStep,
  undo.startUndo,
  undo.undoStep,
  undo.previewUndo,
  lifecycle.abandonImport,
  lifecycle.deleteImport,
  lifecycle.deleteRowsStep,
  recordImportFailure,
  imports.getImport,
  imports.getProgress,
  imports.listImports,
  imports.listRows,
  importReasons.getReasons,
  imports.walkRows,
  bulk.countSelected,
  bulk.createBulkJob,
  bulk.getBulkJob,
  bulk.listBulkJobs,
  bulk.cancelBulkJob,
  bulk.findExport,
  bulkSteps.findNextOfBulkJob,
  bulkSteps.runBulkStep,
  bulkSteps.failBulkJob,
  bulkSteps.expireBulkJob,
  findAnswer,
  expireAnswers,
  webhooks.getWebhook,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  rotateWebhookSecret,
  revokeOldWebhookSecret,
  listAttempts,
  getAttempt,
  replayWebhook,
  cancelReplay,
  webhookTests.startTest,
  webhookTests.findTarget,
  webhookTests.recordTest,
  deliveries.findWork,
  deliveries.loadEvents,
  deliveries.findBacklog,
  claimDeliveries,
  recordResults,
  webhookDeletion.deleteWebhookStep,
  webhookDeletion.expireAttempts,
  webhookDeletion.expireDeliveries,
  webhookEncryption.list,
  webhookEncryption.replace,
];

export const once = onceOf(single);

/** Every operation that may run on a database thread, which looks it up by name. */
export const operations = new OperationRegistry([...single, once]);
