import type { Reply, TestService } from '../service/test-service.ts';
import type { TestChannel } from '../webhooks/channel-hooks.ts';
import { sendMessage } from './send.ts';

type CallType = 'inboundPhoneCall' | 'outboundPhoneCall';

const callOf = (id: string, number: string, type: CallType) => ({
  id,
  orgId: 'org_1',
  type,
  createdAt: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:00:00.000Z',
  customer: { number },
});

export const assistantRequest = (id: string, number: string) => ({
  type: 'assistant-request' as const,
  timestamp: 1_767_607_200_000,
  call: callOf(id, number, 'inboundPhoneCall'),
  customer: { number },
});

export const statusUpdate = (id: string, number: string, changes: object) => ({
  type: 'status-update' as const,
  status: 'in-progress' as const,
  timestamp: 1_767_607_200_000,
  call: callOf(id, number, 'inboundPhoneCall'),
  ...changes,
});

export const speechUpdate = (id: string, number: string) => ({
  type: 'speech-update' as const,
  status: 'started' as const,
  role: 'user' as const,
  call: callOf(id, number, 'inboundPhoneCall'),
});

export const endOfCallReport = (id: string, number: string, changes: object = {}) => ({
  type: 'end-of-call-report' as const,
  endedReason: 'customer-ended-call' as const,
  cost: 0.0625,
  startedAt: '2026-01-05T10:00:00.000Z',
  endedAt: '2026-01-05T10:01:05.000Z',
  call: callOf(id, number, 'inboundPhoneCall'),
  analysis: {
    summary: 'Wants a visit on Thursday.',
    structuredData: { disposition: 'booked', goals: { visit_booked: true }, budget: 1200 },
  },
  artifact: {
    recordingUrl: 'https://recordings.example/1.wav',
    messages: [
      { role: 'system', message: 'Hi.', time: 1_767_607_200_000, secondsFromStart: 0 },
      {
        role: 'bot',
        message: 'Good morning.',
        time: 1_767_607_201_000,
        endTime: 1_767_607_202_000,
        secondsFromStart: 1,
      },
      {
        role: 'user',
        message: 'Thursday, please.',
        time: 1_767_607_203_000,
        endTime: 1_767_607_204_000,
        secondsFromStart: 3,
      },
    ],
  },
  ...changes,
});

/** Sends a message with the secret of the channel, as Vapi does with a bearer credential. */
export const sendVapi = (
  service: TestService,
  { id, secret }: TestChannel,
  message: object,
  headers: Record<string, string | null> = {},
): Promise<Reply> =>
  sendMessage(service, `/hooks/channels/${id}/platform`, JSON.stringify({ message }), {
    authorization: `Bearer ${secret}`,
    ...headers,
  });
