import { agentDeleted } from './agents/agent.service.ts';
import { unlinkCalls } from './calls/call.service.ts';
import { pauseCampaigns } from './campaigns/campaign.service.ts';
import { forgetEnrollments } from './campaigns/enrollment.service.ts';
import { disconnectDeleted } from './channels/channel.service.ts';
import { contactDeleted } from './contacts/contact.service.ts';

/** Who listens to what. Each runs in the transaction in which it happens, in this order. */
export const wire = (): void => {
  contactDeleted.on(unlinkCalls);
  contactDeleted.on(forgetEnrollments);
  agentDeleted.on(disconnectDeleted);
  agentDeleted.on(pauseCampaigns);
};
