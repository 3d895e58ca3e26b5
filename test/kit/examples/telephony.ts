import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation, Outcome } from '../../../examples/dialer/dial.ts';

/** A telephone network for the test: what happens depends on the first name. It prints a line for each call. */
export const dial = async (conversation: Conversation): Promise<Outcome> => {
  const { contact, instructions, recent, answered } = conversation;
  console.log(JSON.stringify({ number: contact.phone_number, instructions, recent: recent.length }));
  switch (contact.first_name) {
    case 'Busy':
      return { status: 'busy' };
    case 'Machine':
      return { status: 'completed', seconds: 5, disposition: 'voicemail' };
    case 'Hurried':
      return { status: 'completed', seconds: 3, disposition: 'no_time' };
    case 'Broken':
      throw new Error('The trunk is down.');
    default:
      answered();
      if (contact.first_name === 'Long') await sleep(Number(process.env.LONG_CALL_MS));
      return {
        status: 'completed',
        seconds: 42,
        goals: { confirmed: true },
        summary: 'Confirmed.',
        ended_by: 'agent',
      };
  }
};
