import { createHmac } from 'node:crypto';
import type { Reply, TestService } from '../service/test-service.ts';
import { sendMessage } from './send.ts';

export const API_KEY = 'key_0123456789abcdef0123456789ab';

/** The inbound webhook, which the package does not describe. */
export const inbound = (from_number: string, event_timestamp?: number) => ({
  event: 'call_inbound',
  ...(event_timestamp !== undefined && { event_timestamp }),
  call_inbound: { agent_id: 'agent_1', from_number, to_number: '+14155550199' },
});

const STARTED = Date.parse('2026-01-05T10:00:00.000Z');

export const callEvent = (
  event: 'call_started' | 'call_ended' | 'call_analyzed' | 'transcript_updated',
  call_id: string,
  from_number: string,
  changes: object = {},
) => ({
  event,
  call: {
    call_id,
    call_type: 'phone_call' as const,
    agent_id: 'agent_1',
    agent_version: 1,
    call_status: event === 'call_started' ? ('ongoing' as const) : ('ended' as const),
    direction: 'inbound' as const,
    from_number,
    to_number: '+14155550199',
    start_timestamp: STARTED,
    ...changes,
  },
});

export const ENDED = {
  end_timestamp: STARTED + 65_000,
  duration_ms: 65_000,
  disconnection_reason: 'user_hangup' as const,
  recording_url: 'https://recordings.example/2.wav',
  call_cost: {
    combined_cost: 6.25,
    product_costs: [],
    total_duration_seconds: 65,
    total_duration_unit_price: 0.1,
  },
  transcript_object: [
    { role: 'agent' as const, content: 'Good morning.', words: [{ word: 'Good', start: 1, end: 2 }] },
    { role: 'user' as const, content: 'Thursday, please.', words: [{ word: 'Thursday,', start: 3, end: 4 }] },
  ],
};

export const ANALYSIS = {
  call_summary: 'Wants a visit on Thursday.',
  call_successful: true,
  custom_analysis_data: { disposition: 'booked', goals: { visit_booked: true }, budget: 1200 },
};

/** The signature of a body, as Retell documents it. */
export const retellSignature = (key: string, body: string, at = Date.now()): string =>
  `v=${at},d=${createHmac('sha256', key)
    .update(body + at)
    .digest('hex')}`;

export const sendRetell = (
  service: TestService,
  { id }: { id: string },
  message: object,
  { key = API_KEY, signature }: { key?: string; signature?: string } = {},
): Promise<Reply> => {
  const raw = JSON.stringify(message);
  const headers = { 'x-retell-signature': signature ?? retellSignature(key, raw) };
  return sendMessage(service, `/hooks/channels/${id}/platform`, raw, headers);
};
