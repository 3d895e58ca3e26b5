import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consume, parseRate, type Rate, RateLimiter, remainingQuota, retryDelayMs } from './rate-limit.ts';

describe('Rate limit parsing', () => {
  it('A rate is a number and a period', () => {
    assert.deepEqual(parseRate('600/1m'), { quota: 600, windowMs: 60_000 });
    assert.deepEqual(parseRate('1/1s'), { quota: 1, windowMs: 1_000 });
    assert.deepEqual(parseRate('1000000/24h'), { quota: 1_000_000, windowMs: 86_400_000 });
  });

  for (const text of [
    '',
    '600',
    '600/m',
    '600/1',
    '0/1m',
    '600/0m',
    '-1/1m',
    '1.5/1m',
    '600/1d',
    '600 / 1m',
    '600/1M',
    '1000001/1m',
    '1/25h',
    '1/1m ',
    '1e3/1m',
  ]) {
    it(`The text "${text}" is not a rate`, () => assert.equal(parseRate(text), undefined));
  }
});

/** Sends a request at each of the times; `y` is allowed, `-` is rejected. */
const send = (rate: Rate, times: readonly number[]): string => {
  let until = 0;
  return times
    .map((now) => {
      const decision = consume(until, rate, now);
      until = decision.until;
      return decision.isAllowed ? 'y' : '-';
    })
    .join('');
};

describe('Rate limit algorithm', () => {
  const rate = { quota: 4, windowMs: 1_000 };

  it('The whole quota is available immediately, then one request per part of the window', () => {
    assert.equal(send(rate, [0, 0, 0, 0, 0, 0]), 'yyyy--');
    assert.equal(send(rate, [0, 0, 0, 0, 249, 250, 251, 499, 500]), 'yyyy-y--y');
  });

  it('A window boundary never doubles the quota', () => {
    assert.equal(send(rate, [999, 999, 999, 999, 1_000, 1_001, 1_248]), 'yyyy---');
  });

  it('A rejected request does not use up quota', () => {
    assert.equal(send(rate, [0, 0, 0, 0, ...Array(50).fill(100), 250]), `yyyy${'-'.repeat(50)}y`);
  });

  it('The quota is exact if the cost of a request is not a whole number', () => {
    for (const quota of [3, 7, 13, 600, 999]) {
      const answers = send({ quota, windowMs: 60_000 }, Array(quota + 5).fill(12_345.678));
      assert.equal(answers, `${'y'.repeat(quota)}-----`);
    }
  });

  it('Never more requests pass than the quota and its refill', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    let [until, now] = [0, 0];
    const granted: number[] = [];
    for (let tries = 0; tries < 5_000; tries++) {
      now += random() < 0.02 ? random() * 3_000 : random() * 60;
      const decision = consume(until, rate, now);
      until = decision.until;
      if (decision.isAllowed) granted.push(now);
    }
    assert.ok(granted.length > 500);
    granted.forEach((from, at) => {
      for (let to = at; to < Math.min(at + 40, granted.length); to++) {
        const most = 4 + ((granted[to] as number) - from) / 250;
        assert.ok(to - at + 1 <= most + 1e-6, `${to - at + 1} from ${from} to ${granted[to]}`);
      }
    });
  });

  it('The result says how many requests are left and when the next is possible', () => {
    let until = 0;
    const left = [];
    for (let times = 0; times < 4; times++) {
      const decision = consume(until, rate, 0);
      until = decision.until;
      left.push(remainingQuota(rate, decision.resetMs));
    }
    assert.deepEqual(left, [3, 2, 1, 0]);
    const refused = consume(until, rate, 100);
    assert.deepEqual(
      [refused.isAllowed, refused.resetMs, retryDelayMs(rate, refused.resetMs)],
      [false, 900, 150],
    );
    assert.equal(consume(until, rate, 250).isAllowed, true);
  });

  it('A clock that jumps back blocks a caller for one window at most', () => {
    const year = 365 * 86_400_000;
    const { until } = consume(0, rate, year);
    const first = consume(until, rate, 5);
    assert.equal(first.isAllowed, false);
    assert.equal(consume(first.until, rate, 255).isAllowed, true);
  });
});

describe('Rate limit state of callers', () => {
  const rate = { quota: 1, windowMs: 1_000 };

  it('Each caller has its own rate limit state', () => {
    const limiter = new RateLimiter();
    assert.equal(limiter.consume('a', rate, 0).isAllowed, true);
    assert.equal(limiter.consume('a', rate, 0).isAllowed, false);
    assert.equal(limiter.consume('b', rate, 0).isAllowed, true);
  });

  it('The rate limit state is bounded, and callers with a full quota are evicted first', () => {
    const limiter = new RateLimiter(100);
    for (let caller = 0; caller < 50; caller++) limiter.consume(`old ${caller}`, rate, 0);
    for (let caller = 0; caller < 51; caller++) limiter.consume(`new ${caller}`, rate, 1_500);
    assert.equal(limiter.size, 51);
    assert.equal(limiter.consume('new 0', rate, 1_500).isAllowed, false);
    for (let caller = 0; caller < 10_000; caller++) limiter.consume(`many ${caller}`, rate, 1_500);
    assert.ok(limiter.size <= 100);
    assert.equal(limiter.consume('many 9999', rate, 1_500).isAllowed, false);
  });
});
