import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdmissionQueue } from './admission-control.ts';

/** Simulates a queue that serves one request after another, on a simulated clock. */
const simulate = (initialLimit: number) => {
  let now = 0;
  const admission = new AdmissionQueue(initialLimit, () => now);
  const queue: { since: number; done: () => void }[] = [];
  return {
    admission,
    /** Each ms `arrivals` requests arrive, each takes `each` ms, and every `outOfTurn` ms one is served out of order. */
    run: async (ms: number, arrivals: number, each: number, outOfTurn = Number.POSITIVE_INFINITY) => {
      let [served, rejected, longest, credit, due] = [0, 0, 0, 0, 0];
      for (const end = now + ms; now < end; now++) {
        if (now % outOfTurn === 0) admission.admit(async () => {});
        for (due += arrivals; due >= 1; due--) {
          if (admission.isFull) rejected++;
          else admission.admit(() => new Promise<void>((done) => queue.push({ since: now, done })));
        }
        for (credit = Math.min(credit + 1, each * 2); credit >= each && queue.length > 0; credit -= each) {
          const { since, done } = queue.shift() as (typeof queue)[0];
          longest = Math.max(longest, now - since);
          served++;
          done();
        }
        await new Promise(setImmediate);
      }
      return { served, rejected, longest };
    },
  };
};

describe('Admission control', () => {
  it('Below capacity and in short bursts, admission control rejects nothing', async () => {
    const { admission, run } = simulate(2_048);
    assert.equal((await run(2_000, 0.9, 1)).rejected, 0);
    for (let times = 0; times < 1_000; times++) assert.equal(admission.isFull, false);
    const { rejected, longest } = await run(1_500, 0.5, 1);
    assert.equal(rejected, 0);
    assert.ok(longest < 10);
  });

  it('At five times the capacity, the wait stays near two seconds and work continues', async () => {
    const { run } = simulate(2_048);
    await run(14_000, 1, 5);
    const { served, rejected, longest } = await run(8_000, 1, 5);
    assert.ok(served >= 1_590, `${served} of 1600 were served`);
    assert.ok(rejected >= 6_000, `${rejected} were rejected`);
    assert.ok(longest <= 2_500, `${longest} ms`);
  });

  it('A few requests served out of order do not affect admission control', async () => {
    const { run } = simulate(2_048);
    await run(14_000, 1, 5, 100);
    const { longest } = await run(8_000, 1, 5, 100);
    assert.ok(longest <= 2_500, `${longest} ms`);
  });

  it('A short stall does not affect admission control', async () => {
    let now = 0;
    const admission = new AdmissionQueue(2_048, () => now);
    const flushed: (() => void)[] = [];
    for (; now < 3_000; now += 3) admission.admit(() => new Promise<void>((done) => flushed.push(done)));
    for (const done of flushed) done();
    await new Promise(setImmediate);
    now += 250;
    for (let times = 0; times < 10; times++) await admission.admit(async () => {});
    for (let held = 0; held < 1_000; held++) admission.admit(() => new Promise<void>(() => {}));
    assert.equal(admission.isFull, false);
  });

  it('Admission decreases also if requests finish one by one, seconds apart', async () => {
    let now = 0;
    const admission = new AdmissionQueue(64, () => now);
    const queue: (() => void)[] = [];
    for (let times = 0; times < 100; times++) {
      while (!admission.isFull) admission.admit(() => new Promise<void>((done) => queue.push(done)));
      now += 3_000;
      queue.shift()?.();
      await new Promise(setImmediate);
    }
    assert.ok(queue.length <= 32, `${queue.length} wait`);
  });

  it('Admission increases as soon as requests finish faster', async () => {
    const { admission, run } = simulate(2_048);
    await run(10_000, 1, 50);
    const { rejected } = await run(6_000, 0.5, 1);
    assert.ok(rejected < 2_500, `${rejected} were rejected while the crowd was served`);
    assert.equal((await run(2_000, 0.9, 1)).rejected, 0);
    for (let held = 0; held < 1_000; held++) admission.admit(() => new Promise<void>(() => {}));
    assert.equal(admission.isFull, false);
  });

  it('A few slow requests do not affect admission control', async () => {
    let now = 0;
    const admission = new AdmissionQueue(2_048, () => now);
    const slow = Promise.withResolvers<void>();
    admission.admit(() => slow.promise);
    for (; now < 5_000; now += 10) await admission.admit(async () => {});
    slow.resolve();
    await new Promise(setImmediate);
    const held = Array.from({ length: 1_500 }, () => admission.admit(() => new Promise<void>(() => {})));
    assert.equal(held.length, 1_500);
    assert.equal(admission.isFull, false);
  });

  it('A single slow request on an idle service does not affect admission control', async () => {
    let now = 0;
    const admission = new AdmissionQueue(2_048, () => now);
    for (let times = 0; times < 3; times++) {
      const slow = Promise.withResolvers<void>();
      const passed = admission.admit(() => slow.promise);
      now += 60_000;
      slow.resolve();
      await passed;
    }
    for (let held = 0; held < 1_500; held++) admission.admit(() => new Promise<void>(() => {}));
    assert.equal(admission.isFull, false);
  });

  it('Requests that finish immediately are not counted', () => {
    const admission = new AdmissionQueue(1);
    assert.equal(
      admission.admit(() => 7),
      7,
    );
    assert.equal(admission.isFull, false);
  });
});
