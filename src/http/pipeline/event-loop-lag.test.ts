import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventLoopLag } from './event-loop-lag.ts';

/** A simulated event loop with one request every 10 ms of a turn. */
const loop = () => {
  let now = 0;
  let end = () => {};
  const lag = new EventLoopLag(
    () => now,
    (onTurnEnd) => {
      end = onTurnEnd;
    },
  );
  return {
    /** Runs one turn and returns how many of its requests were late. */
    run: (ms: number, newSocket = (): object => ({})) => {
      let late = 0;
      for (const until = now + ms; now < until; now += 10) if (lag.isLate(newSocket())) late++;
      end();
      return late;
    },
    rest: (ms: number) => {
      now += ms;
    },
  };
};

describe('Event loop lag', () => {
  it('Short turns have no lag', () => {
    const { run } = loop();
    for (let turns = 0; turns < 50; turns++) assert.equal(run(950), 0);
  });

  it('One long turn has no lag', () => {
    const { run } = loop();
    assert.equal(run(100), 0);
    assert.equal(run(3_000), 0);
    assert.equal(run(100), 0);
    assert.equal(run(3_000), 0);
  });

  it('From the second long turn on, the time beyond one second is lag', () => {
    const { run } = loop();
    assert.equal(run(1_500), 0);
    assert.equal(run(1_500), 49);
    assert.equal(run(1_500), 49);
    assert.equal(run(100), 0);
    assert.equal(run(1_500), 0);
  });

  it('Connections that are served many times in a turn have no lag', () => {
    const { run } = loop();
    const connections = Array.from({ length: 50 }, () => ({}));
    let at = 0;
    const by = () => connections[at++ % connections.length] as object;
    for (let turns = 0; turns < 5; turns++) assert.equal(run(3_000, by), 0);
    assert.equal(run(3_000), 199, 'others are');
  });

  it('A long turn is forgotten after an idle period', () => {
    const { run, rest } = loop();
    run(1_500);
    rest(1_100);
    assert.equal(run(1_500), 0);
  });
});
