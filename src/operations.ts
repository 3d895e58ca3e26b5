import { type Operation, OperationRegistry } from './db/operation.ts';
import { ping } from './db/sqlite/storage.ts';
import * as agents from './features/agents/agent.service.ts';
import * as history from './features/agents/deploy.history.ts';
import * as deploys from './features/agents/deploy.service.ts';
import * as audit from './features/audit/audit.expiry.ts';
import { findAuditEntries, listAuditEntries } from './features/audit-log/audit-log.service.ts';
import * as calls from './features/calls/call.service.ts';
import * as campaigns from './features/campaigns/campaign.service.ts';
import * as enrollments from './features/campaigns/enrollment.service.ts';
import { deployImpact } from './features/campaigns/impact.service.ts';
import { listEncryptedSecrets, replaceEncryptedSecrets } from './features/channels/channel.encryption.ts';
import { revokeOldChannelSecret, rotateChannelSecret } from './features/channels/channel.secrets.ts';
import * as channels from './features/channels/channel.service.ts';
import { listConflicts } from './features/contacts/conflict.service.ts';
import { exportStep, walkContacts } from './features/contacts/contact.export.ts';
import * as selections from './features/contacts/contact.selection.service.ts';
import * as contacts from './features/contacts/contact.service.ts';
import { listTags } from './features/contacts/tag.service.ts';
import { getFigures } from './features/figures/figures.service.ts';
import { expireAnswers, findAnswer, onceOf } from './features/idempotency/idempotency.service.ts';
import * as apply from './features/imports/apply.service.ts';
import * as imports from './features/imports/import.service.ts';
import * as lifecycle from './features/imports/lifecycle.service.ts';
import * as plans from './features/imports/plan.service.ts';
import * as replans from './features/imports/replan.service.ts';
import * as undo from './features/imports/undo.service.ts';
import * as integrations from './features/integrations/integration.service.ts';
import * as keys from './features/workspaces/key.service.ts';
import { createKeyCheck, findKeyCheck, replaceKeyCheck } from './features/workspaces/key-check.ts';
import * as links from './features/workspaces/link.service.ts';
import * as sessions from './features/workspaces/session.service.ts';
import * as settings from './features/workspaces/settings.service.ts';
import * as setUp from './features/workspaces/setup.service.ts';
import * as signIn from './features/workspaces/sign-in.limits.ts';
import * as users from './features/workspaces/user.service.ts';
import * as workspaces from './features/workspaces/workspace.service.ts';
import { findDueJobs } from './jobs/job.metrics.ts';
import * as jobs from './jobs/job.service.ts';

/** Every operation except `once`, which wraps another operation. */
const single: readonly Operation[] = [
  ping,
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
  sessions.getSessionInfo,
  sessions.closeSession,
  signIn.admitAttempt,
  signIn.settleAttempt,
  signIn.confirmFailure,
  contacts.getContact,
  contacts.listContacts,
  contacts.filterContacts,
  contacts.createContact,
  contacts.updateContact,
  contacts.deleteContact,
  selections.tagSelection,
  selections.deleteSelection,
  listTags,
  walkContacts,
  exportStep,
  listConflicts,
  agents.getAgent,
  agents.listAgents,
  agents.createAgent,
  agents.updateAgent,
  agents.deleteAgent,
  deploys.getVersion,
  deploys.deployVersion,
  history.listDeploys,
  history.listRecentDeploys,
  history.listVersions,
  deploys.activeVersionAt,
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
  listEncryptedSecrets,
  replaceEncryptedSecrets,
  integrations.createIntegration,
  integrations.listIntegrations,
  integrations.deleteIntegration,
  integrations.rotateIntegrationSecret,
  integrations.revokeOldIntegrationSecret,
  integrations.findHookIntegration,
  integrations.receiveContact,
  calls.recordCall,
  calls.listCalls,
  calls.getCall,
  campaigns.getCampaign,
  campaigns.listCampaigns,
  campaigns.createCampaign,
  campaigns.updateCampaign,
  enrollments.enrollContacts,
  enrollments.listEnrollments,
  enrollments.enrollmentsOfContact,
  enrollments.updateEnrollment,
  enrollments.deleteEnrollment,
  deployImpact,
  getFigures,
  findAuditEntries,
  listAuditEntries,
  audit.listWorkspaceIds,
  audit.expireEntries,
  settings.getSettings,
  settings.countryOf,
  settings.updateSettings,
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
  lifecycle.abandonImport,
  lifecycle.deleteImport,
  lifecycle.deleteRowsStep,
  imports.getImport,
  imports.getProgress,
  imports.listImports,
  imports.listRows,
  imports.walkRows,
  findAnswer,
  expireAnswers,
];

export const once = onceOf(single);

/** Every operation that may run on a database thread, which looks it up by name. */
export const operations = new OperationRegistry([...single, once]);
