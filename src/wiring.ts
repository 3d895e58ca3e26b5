import { agentDeleted } from './agents/agent.service.ts';
import { unlinkCalls } from './calls/call.service.ts';
import { pauseCampaigns } from './campaigns/campaign.service.ts';
import { forgetEnrollments } from './campaigns/enrollment.service.ts';
import { disconnectDeleted } from './channels/channel.service.ts';
import { contactDeleted } from './contacts/contact.service.ts';
import { applyStep } from './imports/apply.service.ts';
import { dropStep, forgetRows } from './imports/lifecycle.service.ts';
import { replanStep } from './imports/replan.ts';
import { undoStep } from './imports/undo.service.ts';
import { inTransaction, type Step } from './jobs/runner.ts';
import { expireAnswers, forgetAnswers } from './retries/retry.service.ts';

/** Who listens to what. Each runs in the transaction in which it happens, in this order. */
export const wire = (): void => {
  contactDeleted.on(unlinkCalls);
  contactDeleted.on(forgetEnrollments);
  contactDeleted.on(forgetRows);
  contactDeleted.on(forgetAnswers);
  agentDeleted.on(disconnectDeleted);
  agentDeleted.on(pauseCampaigns);
};

/** What a job of each kind does in one step. */
export const steps: Readonly<Record<string, Step>> = {
  'import.planning': replanStep,
  'import.applying': inTransaction(applyStep),
  'import.undoing': inTransaction(undoStep),
  'import.deleting': inTransaction(dropStep),
  'import.expiring': inTransaction(dropStep),
  'retries.expiring': inTransaction(expireAnswers),
};
