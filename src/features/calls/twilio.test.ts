import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../lib/errors.ts';
import { readTwilio } from './twilio.ts';

const read = (fields: Record<string, string>) => readTwilio(new URLSearchParams(fields));
const voice = { CallSid: 'CA1', From: '+14155550100', To: '+14155550199', Direction: 'inbound' };
const text = { MessageSid: 'SM1', SmsSid: 'SM1', From: '+14155550100', To: '+14155550199' };

test('Every Twilio call status maps to a call status', () => {
  const statuses = {
    queued: 'queued',
    initiated: 'queued',
    ringing: 'ringing',
    'in-progress': 'in_progress',
    completed: 'completed',
    busy: 'busy',
    'no-answer': 'no_answer',
    canceled: 'canceled',
    failed: 'failed',
  };
  for (const [word, status] of Object.entries(statuses)) {
    assert.equal(read({ ...voice, CallStatus: word }).status, status, word);
  }
  for (const word of ['', 'new', 'constructor', '__proto__', 'COMPLETED']) {
    assert.ok(!('status' in read({ ...voice, CallStatus: word })), word);
  }
});

test('Every Twilio message status maps to a status and a sender', () => {
  const outbound = {
    accepted: 'queued',
    scheduled: 'queued',
    queued: 'queued',
    sending: 'in_progress',
    sent: 'completed',
    delivered: 'completed',
    read: 'completed',
    canceled: 'canceled',
    undelivered: 'failed',
    failed: 'failed',
  };
  for (const [word, status] of Object.entries(outbound)) {
    for (const name of ['MessageStatus', 'SmsStatus']) {
      const event = read({ ...text, [name]: word });
      assert.deepEqual([event.status, event.direction, event.number], [status, 'outbound', text.To], word);
    }
  }
  for (const [word, status] of Object.entries({ receiving: 'in_progress', received: 'completed' })) {
    const event = read({ ...text, SmsStatus: word });
    assert.deepEqual([event.status, event.direction, event.number], [status, 'inbound', text.From], word);
  }
  assert.equal(read(text).direction, 'inbound');
});

test('The direction of a call is read from its field', () => {
  for (const Direction of ['outbound-api', 'outbound-dial', 'outbound']) {
    const event = read({ ...voice, Direction });
    assert.deepEqual([event.direction, event.number], ['outbound', voice.To]);
  }
  const { Direction: _, ...without } = voice;
  for (const fields of [voice, without, { ...voice, Direction: 'trunking-originating' }]) {
    assert.deepEqual([read(fields).direction, read(fields).number], ['inbound', voice.From]);
  }
});

test('A completed call has its end time, and its start is the end minus the duration', () => {
  const Timestamp = 'Mon, 01 Jun 2026 12:00:30 +0000';
  const ended = { ended_at: '2026-06-01T12:00:30.000Z' };
  for (const CallStatus of ['completed', 'busy', 'no-answer', 'canceled', 'failed']) {
    const { started_at, ended_at, seconds } = read({ ...voice, CallStatus, Timestamp, CallDuration: '30' });
    assert.deepEqual([started_at, ended_at, seconds], ['2026-06-01T12:00:00.000Z', ended.ended_at, 30]);
  }
  const instant = read({ ...voice, CallStatus: 'completed', Timestamp });
  assert.deepEqual([instant.started_at, instant.ended_at], [ended.ended_at, ended.ended_at]);
  assert.ok(!('seconds' in instant));
  for (const CallStatus of ['ringing', 'in-progress']) {
    const event = read({ ...voice, CallStatus, Timestamp });
    assert.ok(!('started_at' in event) && !('ended_at' in event));
  }
  assert.ok(!('ended_at' in read({ ...text, MessageStatus: 'delivered', Timestamp })));
});

test('A time in an unknown format is not guessed', () => {
  const times = [
    '',
    '-1',
    '5',
    'yesterday',
    'Fri, 31 Dec 99999 23:59:59 +0000',
    'Mon, 01 Foo 2026 12:00:00 +0000',
  ];
  for (const Timestamp of times) {
    const before = new Date().toISOString();
    const { ended_at = '' } = read({ ...voice, CallStatus: 'completed', Timestamp });
    assert.ok(ended_at >= before && ended_at <= new Date().toISOString(), Timestamp);
  }
});

test('Only channels that reach a phone have a number', () => {
  const numbers = {
    'whatsapp:+14155550100': '+14155550100',
    'rcs:+14155550100': '+14155550100',
    'messenger:14155550100': 'messenger:14155550100',
    'client:ada': 'client:ada',
    'sip:ada@pbx.example': 'sip:ada@pbx.example',
    anonymous: 'anonymous',
    '+266696687': 'anonymous',
    '+7378742833': 'anonymous',
  };
  for (const [From, number] of Object.entries(numbers)) assert.equal(read({ ...voice, From }).number, number);
});

test('A form without a call, a contact or a time is rejected', () => {
  const bad: Record<string, string>[] = [
    {},
    { From: '+14155550100' },
    { ...voice, CallSid: '' },
    { ...voice, CallSid: 'a\0' },
    { CallSid: 'CA1' },
    { ...voice, From: '' },
    { ...voice, From: 'whatsapp:' },
    { ...voice, From: '\0' },
    ...['-1', '1.5', '1e9', '12345678', 'x'].map((CallDuration) => ({ ...voice, CallDuration })),
  ];
  for (const fields of bad) {
    assert.throws(
      () => read(fields),
      (error) => error instanceof ApiError && error.code === 'VALIDATION_ERROR',
    );
  }
});
