import { createHmac } from 'node:crypto';
import type { Json, Reply, TestService } from '../service/test-service.ts';
import type { TestChannel } from '../webhooks/channel-hooks.ts';
import { sendMessage } from './send.ts';

/** Of the post-call webhook. */
export const WEBHOOK_SECRET = 'wsec_0123456789abcdef0123456789';

const STARTED = Date.parse('2026-01-05T10:00:00.000Z') / 1_000;

export const initiation = (call_sid: string, caller_id: string) => ({
  caller_id,
  agent_id: 'agent_1',
  called_number: '+14155550199',
  call_sid,
});

/** The post-call webhook. `variables` are those of the initiation's response. */
export const transcription = (call_sid: string, external_number: string, variables: Json = {}) => ({
  type: 'post_call_transcription',
  event_timestamp: STARTED + 70,
  data: {
    agent_id: 'agent_1',
    conversation_id: 'conv_1',
    status: 'done',
    transcript: [
      { role: 'agent', message: 'Good morning.', tool_calls: [], time_in_call_secs: 1 },
      { role: 'user', message: 'Thursday, please.', time_in_call_secs: 3 },
      { role: 'agent', message: null, time_in_call_secs: 4 },
    ],
    metadata: {
      start_time_unix_secs: STARTED,
      call_duration_secs: 65,
      cost: 296,
      cost_fiat: 0.0625,
      termination_reason: 'Call ended by remote party',
      phone_call: {
        type: 'twilio',
        direction: 'inbound',
        phone_number_id: 'phnum_1',
        agent_number: '+14155550199',
        external_number,
        stream_sid: 'MZ1',
        call_sid,
      },
    },
    analysis: {
      call_successful: 'success',
      transcript_summary: 'Wants a visit on Thursday.',
      evaluation_criteria_results: {
        visit_booked: { criteria_id: 'visit_booked', result: 'success', rationale: 'Yes.' },
        upsold: { criteria_id: 'upsold', result: 'failure', rationale: 'No.' },
        polite: { criteria_id: 'polite', result: 'unknown', rationale: '' },
      },
      data_collection_results: {
        disposition: { data_collection_id: 'disposition', value: 'booked', rationale: '' },
        budget: { data_collection_id: 'budget', value: 1200, rationale: '' },
      },
    },
    conversation_initiation_client_data: { dynamic_variables: variables },
  },
});

export const initiationFailure = (CallSid: string, To: string, failure_reason: string) => ({
  type: 'call_initiation_failure',
  event_timestamp: STARTED,
  data: {
    agent_id: 'agent_1',
    conversation_id: 'conv_2',
    failure_reason,
    metadata: { type: 'twilio', body: { CallSid, To, From: '+14155550199', Direction: 'outbound-api' } },
  },
});

/** Sends an initiation, with the secret of the channel. */
export const askElevenLabs = (
  service: TestService,
  { id, secret }: TestChannel,
  message: Json,
): Promise<Reply> =>
  sendMessage(service, `/hooks/channels/${id}/platform`, JSON.stringify(message), {
    authorization: `Bearer ${secret}`,
  });

/** The signature of a body, as ElevenLabs documents it. */
export const elevenLabsSignature = (secret: string, body: string, at = Date.now()): string => {
  const time = Math.floor(at / 1_000);
  return `t=${time},v0=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
};

/** Sends a signed post-call webhook. */
export const reportElevenLabs = (
  service: TestService,
  { id }: { id: string },
  message: Json,
  { secret = WEBHOOK_SECRET, at = Date.now() } = {},
): Promise<Reply> => {
  const raw = JSON.stringify(message);
  const headers = { 'elevenlabs-signature': elevenLabsSignature(secret, raw, at) };
  return sendMessage(service, `/hooks/channels/${id}/platform`, raw, headers);
};
