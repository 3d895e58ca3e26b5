import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adapters } from '../../src/features/adapters/platform.routes.ts';
import { ApiError } from '../../src/lib/errors.ts';
import * as relay from '../kit/platforms/conversation-relay.ts';
import * as elevenlabs from '../kit/platforms/elevenlabs.ts';
import * as jambonz from '../kit/platforms/jambonz.ts';
import * as retell from '../kit/platforms/retell.ts';
import * as telnyx from '../kit/platforms/telnyx.ts';
import { assistantRequest, endOfCallReport, statusUpdate } from '../kit/platforms/vapi.ts';
import type { Json } from '../kit/service/test-service.ts';

const NUMBER = '+14155550123';
const ended = { ...retell.ENDED, call_analysis: retell.ANALYSIS, metadata: { roster_session_id: 'x' } };

const MESSAGES: Readonly<Record<keyof typeof adapters, readonly Json[]>> = {
  vapi: [
    { message: assistantRequest('1', NUMBER) },
    { message: statusUpdate('1', NUMBER, { status: 'ringing' }) },
    { message: endOfCallReport('1', NUMBER, { assistant: { metadata: { roster_session_id: 'x' } } }) },
  ],
  retell: [retell.inbound(NUMBER, 1_767_607_200_000), retell.callEvent('call_analyzed', '1', NUMBER, ended)],
  elevenlabs: [
    elevenlabs.initiation('1', NUMBER),
    elevenlabs.transcription('1', NUMBER, { roster_session_id: 'x' }),
    elevenlabs.initiationFailure('1', NUMBER, 'busy'),
  ],
  telnyx: [
    telnyx.initialization('1', NUMBER),
    telnyx.initiated('1', NUMBER),
    telnyx.messageHistory('1', NUMBER),
    telnyx.conversationEnded('1', NUMBER),
    telnyx.hangup('1', NUMBER),
    telnyx.insights('1', 'A summary.', { goals: { booked: true } }),
  ],
  twilio_conversationrelay: [
    relay.voiceRequest('1', NUMBER),
    relay.sessionEnd('1', NUMBER, { summary: 'Short.', transcript: [{ speaker: 'agent', text: 'Hi.' }] }),
    relay.statusCallback('1', NUMBER),
  ].map((form) => Object.fromEntries(form)),
  jambonz: [
    jambonz.newCall('1', NUMBER),
    jambonz.callStatus('1', NUMBER, 'completed', { duration: 65, customerData: { goals: { booked: true } } }),
    jambonz.turnEnd('Thursday.', 'Done.'),
  ],
};

const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e12,
  1e300,
  '',
  'x',
  '\0',
  '\ud800',
  'é'.repeat(70_000),
  '__proto__',
  'constructor',
  '9999-12-31T23:59:59.999Z',
  [],
  [null],
  {},
  { a: { a: { a: '\0' } } },
  { toString: 1, valueOf: 1 },
  JSON.parse('{"__proto__": {"value": 1}, "constructor": true}'),
];

/** Every path of a message. */
const pathsIn = (value: Json, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))]
    : [path];

const withOdd = (message: Json, path: readonly string[], odd: Json): Json => {
  const copy = structuredClone(message);
  const parent = path.slice(0, -1).reduce((at, name) => at[name], copy);
  parent[path.at(-1) as string] = odd;
  return copy;
};

const query = new URLSearchParams({ provider_id: '1', roster_session_id: 'x' });
const request = { headers: {}, body: '', url: `http://localhost/hooks?${query}`, query };

const read = (name: keyof typeof adapters, message: Json) => {
  const { [name]: adapter } = adapters;
  const isForm = name === 'twilio_conversationrelay';
  const texts = () =>
    new URLSearchParams(
      Object.entries(message).map(([member, value]) => [
        member,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  return isForm ? adapter.readForm?.(texts(), request) : adapter.read(message, request);
};

/** What a call cannot be recorded without. */
const NEEDED =
  /(?:^|\.)(?:CallSid|From|message|call|data|id|call_id|call_sid|call_control_id|payload|conversation_id|direction|phone_call|metadata)$/;

for (const name of Object.keys(adapters) as (keyof typeof adapters)[])
  test(`An odd member of a message of ${name} costs that member at most, unless it identifies the call`, () => {
    for (const message of MESSAGES[name]) {
      assert.ok(read(name, message), 'the message itself is understood');
      for (const path of pathsIn(message).slice(1))
        for (const odd of ODD) {
          const at = `${path.join('.')} = ${JSON.stringify(odd).slice(0, 50)}`;
          try {
            read(name, withOdd(message, path, odd));
          } catch (error) {
            assert.ok(error instanceof ApiError, `${at}: ${error}`);
            assert.equal(error.code, 'VALIDATION_ERROR', at);
            assert.match(path.join('.'), NEEDED, `${at}: ${JSON.stringify(error.details)}`);
          }
        }
    }
  });
