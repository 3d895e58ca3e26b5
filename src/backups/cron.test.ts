import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSchedule } from './cron.ts';

const nextOf = (text: string, at: string) => parseSchedule(text)?.next(new Date(at)).toISOString();
const previousOf = (text: string, at: string) => parseSchedule(text)?.previous(new Date(at)).toISOString();

describe('parseSchedule', () => {
  it('The next and the previous time follow the five fields in UTC', () => {
    for (const [text, at, next, previous] of [
      ['@hourly', '2026-11-16T06:00:00Z', '2026-11-16T07:00', '2026-11-16T06:00'],
      ['@daily', '2026-11-16T06:10:30.5Z', '2026-11-17T00:00', '2026-11-16T00:00'],
      ['@weekly', '2026-11-16T06:10:00Z', '2026-11-22T00:00', '2026-11-15T00:00'],
      ['@monthly', '2026-12-31T23:59:59Z', '2027-01-01T00:00', '2026-12-01T00:00'],
      ['30 3 * * *', '2026-11-16T03:29:59Z', '2026-11-16T03:30', '2026-11-15T03:30'],
      ['30 3 * * *', '2026-11-16T03:30:00Z', '2026-11-17T03:30', '2026-11-16T03:30'],
      ['*/20 * * * *', '2026-11-16T06:41:00Z', '2026-11-16T07:00', '2026-11-16T06:40'],
      ['5,10-14/2 1 * * *', '2026-11-16T01:10:00Z', '2026-11-16T01:12', '2026-11-16T01:10'],
      ['50/5 * * * *', '2026-11-16T01:51:00Z', '2026-11-16T01:55', '2026-11-16T01:50'],
      ['0 2 * * 1-5', '2026-11-14T00:00:00Z', '2026-11-16T02:00', '2026-11-13T02:00'],
      ['0 2 * * MON', '2026-11-17T00:00:00Z', '2026-11-23T02:00', '2026-11-16T02:00'],
      ['0 2 * * 7', '2026-11-17T00:00:00Z', '2026-11-22T02:00', '2026-11-15T02:00'],
      ['0 0 13 * 5', '2026-11-01T00:00:00Z', '2026-11-06T00:00', '2026-10-30T00:00'],
      ['0 0 29 2 *', '2026-11-16T00:00:00Z', '2028-02-29T00:00', '2024-02-29T00:00'],
      ['15 10 31 jan,dec *', '2026-11-16T00:00:00Z', '2026-12-31T10:15', '2026-01-31T10:15'],
    ] as const) {
      assert.equal(nextOf(text, at), `${next}:00.000Z`, `next of ${text}`);
      assert.equal(previousOf(text, at), `${previous}:00.000Z`, `previous of ${text}`);
    }
  });

  it('Anything else is refused', () => {
    for (const text of [
      '',
      'daily',
      '@yearly please',
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * * 13 *',
      '* * * * 8',
      '5-1 * * * *',
      '*/0 * * * *',
      '1-2-3 * * * *',
      '1, * * * *',
      '-1 * * * *',
      'a * * * *',
      '0 0 30 2 *',
      '0 0 31 4,6 *',
    ])
      assert.equal(parseSchedule(text), undefined, text);
  });
});
