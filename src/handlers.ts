import { agentDeleted } from './features/agents/agent.service.ts';
import { unlinkCalls } from './features/calls/call.service.ts';
import { pauseCampaigns } from './features/campaigns/campaign.service.ts';
import { deleteEnrollmentsOfContact } from './features/campaigns/enrollment.service.ts';
import { disconnectDeleted } from './features/channels/channel.service.ts';
import { contactDeleted } from './features/contacts/contact.service.ts';
import { eraseAnswers, expireAnswers } from './features/idempotency/idempotency.service.ts';
import { applyStep } from './features/imports/apply.service.ts';
import { deleteRowsStep, eraseContactRows } from './features/imports/lifecycle.service.ts';
import { replanStep } from './features/imports/replan.ts';
import { undoStep } from './features/imports/undo.service.ts';
import { type Step, transactionStep } from './jobs/runner.ts';

/** Subscribes the event handlers. They run in this order, in the transaction of the event. */
export const registerEventHandlers = (): void => {
  contactDeleted.on(unlinkCalls);
  contactDeleted.on(deleteEnrollmentsOfContact);
  contactDeleted.on(eraseContactRows);
  contactDeleted.on(eraseAnswers);
  agentDeleted.on(disconnectDeleted);
  agentDeleted.on(pauseCampaigns);
};

/** The handler of each kind of job, which runs one step. */
export const jobHandlers: Readonly<Record<string, Step>> = {
  'import.planning': replanStep,
  'import.applying': transactionStep(applyStep),
  'import.undoing': transactionStep(undoStep),
  'import.deleting': transactionStep(deleteRowsStep),
  'import.expiring': transactionStep(deleteRowsStep),
  'retries.expiring': transactionStep(expireAnswers),
};
