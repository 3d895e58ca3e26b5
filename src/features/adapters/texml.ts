import type { CallStatus } from '../calls/call.schema.ts';
import type { PlatformReport } from './adapter.ts';
import { entryOf, eventOf, type Payload, textIn, timeIn } from './payload.ts';

/* The status callbacks of Telnyx's TeXML applications: forms like Twilio's, with other times and without a direction. */

const STATUSES: Readonly<Record<string, CallStatus>> = {
  initiated: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'canceled',
  failed: 'failed',
};

/** Undefined for a callback of something else, such as a recording. `CallDuration` is a text of digits. */
export const readStatusCallback = (form: Payload): PlatformReport | undefined => {
  const status = entryOf(STATUSES, textIn(form, 'CallStatus'));
  if (form.CallbackSource !== 'call-progress-events' || !status) return undefined;
  const [seconds] = /^\d{1,7}$/.exec(textIn(form, 'CallDuration') ?? '') ?? [];
  const event = eventOf({
    type: 'call',
    provider_id: textIn(form, 'CallSid'),
    direction: 'inbound',
    number: textIn(form, 'From', 64) ?? 'unknown',
    status,
    started_at: timeIn(form, 'CallInitiatedAt'),
    ...(status === 'completed' && {
      ended_at: timeIn(form, 'EndTime'),
      seconds: seconds && Number(seconds),
      recording_url: form.RecordingUrl,
    }),
  });
  return { event, turns: [] };
};
