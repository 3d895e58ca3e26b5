import { findActivity, listActivity } from './activity/activity.service.ts';
import * as agents from './agents/agent.service.ts';
import * as history from './agents/deploy.history.ts';
import * as deploys from './agents/deploy.service.ts';
import * as audit from './audit/audit.expiry.ts';
import * as calls from './calls/call.service.ts';
import * as campaigns from './campaigns/campaign.service.ts';
import * as enrollments from './campaigns/enrollment.service.ts';
import { deployImpact } from './campaigns/impact.service.ts';
import { listSealed, replaceSealed } from './channels/channel.seal.ts';
import * as channels from './channels/channel.service.ts';
import { listConflicts } from './contacts/conflict.service.ts';
import * as selections from './contacts/contact.selection.service.ts';
import * as contacts from './contacts/contact.service.ts';
import { exportStep, walkContacts } from './contacts/contact.walk.ts';
import { listTags } from './contacts/tag.service.ts';
import { getFigures } from './figures/figures.service.ts';
import * as apply from './imports/apply.service.ts';
import * as imports from './imports/import.service.ts';
import * as lifecycle from './imports/lifecycle.service.ts';
import * as plans from './imports/plan.service.ts';
import * as replans from './imports/replan.service.ts';
import * as undo from './imports/undo.service.ts';
import * as integrations from './integrations/integration.service.ts';
import * as jobs from './jobs/job.service.ts';
import { expireAnswers, findAnswer, onceAmong } from './retries/retry.service.ts';
import { ping } from './storage/sqlite/storage.ts';
import type { Operation } from './storage/storage.ts';
import * as keys from './workspaces/key.service.ts';
import * as links from './workspaces/link.service.ts';
import { findSealCheck, keepSealCheck, replaceSealCheck } from './workspaces/seal-check.ts';
import * as sessions from './workspaces/session.service.ts';
import * as settings from './workspaces/settings.service.ts';
import * as setUp from './workspaces/setup.service.ts';
import * as signIn from './workspaces/sign-in.limits.ts';
import * as users from './workspaces/user.service.ts';
import * as workspaces from './workspaces/workspace.service.ts';

/** Every operation that does one thing. */
const single: readonly Operation[] = [
  ping,
  findSealCheck,
  keepSealCheck,
  replaceSealCheck,
  setUp.findDefault,
  setUp.makeDefault,
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
  links.makeLink,
  links.inviteUser,
  links.redeemLink,
  sessions.openSession,
  sessions.findSession,
  sessions.getWho,
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
  channels.rotateChannelSecret,
  channels.revokeOldChannelSecret,
  channels.connectAgent,
  channels.disconnectChannel,
  channels.deleteChannel,
  channels.findHookChannel,
  channels.activeOnChannel,
  listSealed,
  replaceSealed,
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
  findActivity,
  listActivity,
  audit.listWorkspaceIds,
  audit.expireEntries,
  settings.getSettings,
  settings.countryOf,
  settings.updateSettings,
  jobs.isWorkDue,
  jobs.claimJob,
  jobs.postponeJob,
  jobs.isClockBack,
  jobs.followClock,
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
  lifecycle.dropStep,
  imports.getImport,
  imports.getProgress,
  imports.listImports,
  imports.listRows,
  imports.walkRows,
  findAnswer,
  expireAnswers,
];

export const once = onceAmong(single);

/** Every operation that may run on a thread of the database, where it is found by its name. */
export const operations: readonly Operation[] = [...single, once];
