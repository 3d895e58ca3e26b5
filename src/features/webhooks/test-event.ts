import type { StoredEvent } from '../../records/event.store.ts';

/** The event that tests an endpoint. It is not in the log; its content follows from the arguments. */
export const testEvent = (workspace: number, id: string, at: string): StoredEvent => ({
  workspace_id: workspace,
  seq: 0,
  at,
  type: 'webhook.test',
  subject: id,
  contact_id: null,
  agent_id: null,
  campaign_id: null,
  actor: id,
  request_id: null,
  changed: null,
  data: JSON.stringify({ id, message: 'This is a test event. It describes no change.' }),
});
