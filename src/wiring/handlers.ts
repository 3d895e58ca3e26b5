import { agentDeletion } from '../features/agents/agent.service.ts';
import { eraseRenderings } from '../features/agents/rendering.service.ts';
import { assertNotSpoken } from '../features/agents/variable.service.ts';
import { bulkStep, eraseBulkChanges, expireBulkJob } from '../features/bulk/bulk.step.ts';
import { addActivityFilters } from '../features/calls/activity.filters.ts';
import { linkCalls, linkCallsStep } from '../features/calls/call.identities.ts';
import { callErasure, unlinkCalls } from '../features/calls/call.service.ts';
import { assertNotRuled } from '../features/calls/call-settings.service.ts';
import { audienceFollower, enrollingStep, followingStep } from '../features/campaigns/audience.jobs.ts';
import {
  assertNotAudience,
  assertNotFiltered,
  restartAudiences,
} from '../features/campaigns/audience.service.ts';
import { deleteCampaignStep } from '../features/campaigns/campaign.deletion.ts';
import { pauseCampaigns } from '../features/campaigns/campaign.service.ts';
import { recheckBlocked } from '../features/campaigns/enrollment.blocked.ts';
import { addEnrollmentFilters } from '../features/campaigns/enrollment.filters.ts';
import { deleteEnrollmentsOfContacts } from '../features/campaigns/enrollment.service.ts';
import { endStep, startStep, zonesStep } from '../features/campaigns/schedule.jobs.ts';
import { disconnectDeleted } from '../features/channels/channel.service.ts';
import { contactDeletion } from '../features/contacts/contact.write.ts';
import { eraseFieldStep, indexFieldStep } from '../features/contacts/field.jobs.ts';
import { identityAttachment } from '../features/contacts/identity.service.ts';
import { deleteIdentities } from '../features/contacts/identity.sync.ts';
import { segmentChange, segmentDeletion } from '../features/contacts/segment.service.ts';
import { deletePrivateSegments } from '../features/contacts/segment.store.ts';
import { LOADING, loadingStep, REMOVING, removingStep } from '../features/demo/sample.service.ts';
import { eraseDuplicates } from '../features/duplicates/duplicate.groups.ts';
import { duplicateFollower, duplicatesStep } from '../features/duplicates/duplicate.jobs.ts';
import {
  fieldErasure,
  fieldRemoval,
  fieldRestoration,
  filterRemoval,
} from '../features/fields/field.service.ts';
import { eraseAnswers } from '../features/idempotency/idempotency.service.ts';
import { applyStep } from '../features/imports/apply.service.ts';
import { withFailureNotice } from '../features/imports/import.step.ts';
import { deleteRowsStep, eraseContactRows } from '../features/imports/lifecycle.service.ts';
import { replanStep } from '../features/imports/plan.service.ts';
import { addImportFilter } from '../features/imports/row.filters.ts';
import { undoStep } from '../features/imports/undo.service.ts';
import { eraseFieldOfMerges, eraseMerges } from '../features/merges/merge.deletion.ts';
import { expireMerge, finishUndos, movingStep } from '../features/merges/merge.undo.ts';
import { deleteRead } from '../features/notices/notice.store.ts';
import { deletePrivateViews } from '../features/views/view.store.ts';
import { deleteWebhookStep } from '../features/webhooks/webhook.deletion.ts';
import { userDeletion } from '../features/workspaces/user.service.ts';
import { type JobHandlers, transactionStep } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import { eraseContactChanges } from '../records/change.ts';

/** Registers what features contribute to features that must not import them: filters of contacts, and effects of deletions, which run
 *  in this order, in the transaction of the deletion. */
export const registerContributions = (): void => {
  addEnrollmentFilters();
  addActivityFilters();
  addImportFilter();
  callErasure.add(eraseAnswers);
  identityAttachment.add(linkCalls);
  contactDeletion.add(finishUndos);
  contactDeletion.add(unlinkCalls);
  contactDeletion.add(deleteEnrollmentsOfContacts);
  contactDeletion.add(eraseRenderings);
  contactDeletion.add(eraseContactRows);
  contactDeletion.add(eraseBulkChanges);
  contactDeletion.add(eraseDuplicates);
  contactDeletion.add(eraseAnswers);
  userDeletion.add(deleteRead);
  userDeletion.add(deletePrivateViews);
  userDeletion.add(deletePrivateSegments);
  segmentDeletion.add(assertNotAudience);
  segmentChange.add(restartAudiences);
  contactDeletion.add(eraseContactChanges);
  contactDeletion.add(deleteIdentities);
  contactDeletion.add(eraseMerges);
  agentDeletion.add(disconnectDeleted);
  agentDeletion.add(pauseCampaigns);
  fieldErasure.add(eraseFieldOfMerges);
  fieldRestoration.add(recheckBlocked);
  fieldRemoval.add(assertNotSpoken);
  fieldRemoval.add(assertNotFiltered);
  fieldRemoval.add(assertNotRuled);
  filterRemoval.add(assertNotFiltered);
};

/** The handler of each kind of job, which runs one step. */
export const jobHandlers = {
  short: {
    'campaign.starting': transactionStep(startStep),
    'campaign.ending': transactionStep(endStep),
    'campaign.following': followingStep,
  },
  long: {
    'bulk.running': bulkStep,
    'bulk.expiring': transactionStep(expireBulkJob),
    'import.planning': withFailureNotice(transactionStep(replanStep)),
    'import.applying': withFailureNotice(transactionStep(applyStep)),
    'import.undoing': withFailureNotice(transactionStep(undoStep)),
    'import.deleting': transactionStep(deleteRowsStep),
    'import.expiring': transactionStep(deleteRowsStep),
    'campaign.enrolling': enrollingStep,
    'campaign.zones': transactionStep(zonesStep),
    'campaign.deleting': transactionStep(deleteCampaignStep),
    'duplicates.following': duplicatesStep,
    'field.indexing': transactionStep(indexFieldStep),
    'field.erasing': transactionStep(eraseFieldStep),
    'identity.linking': transactionStep(linkCallsStep),
    'merge.moving': transactionStep(movingStep),
    'merge.expiring': transactionStep(expireMerge),
    'webhook.deleting': transactionStep(deleteWebhookStep),
    [REMOVING]: removingStep,
  },
} satisfies JobHandlers;

/** Those of the service, which can also load the sample data. */
export const serviceHandlers = (encryptor: Encryptor, isStopping: () => boolean): JobHandlers => ({
  ...jobHandlers,
  long: { ...jobHandlers.long, [LOADING]: loadingStep(encryptor, jobHandlers, isStopping) },
});

/** The jobs that wait for events. */
export const followers = [audienceFollower, duplicateFollower];

export const jobKinds: readonly string[] = [...Object.values(jobHandlers).flatMap(Object.keys), LOADING];
