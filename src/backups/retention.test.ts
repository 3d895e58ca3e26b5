import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyRetention, expired } from './backup-store.ts';
import { backupName } from './names.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
/** One backup per day, newest first. */
const backups = Array.from({ length: 6 }, (_, day) => ({
  created_at: new Date(NOW - day * 86_400_000 - 1000).toISOString(),
  day,
}));
const daysDeleted = (count?: number, days?: number, list = backups) =>
  expired(list, { count, days }, NOW).map(({ day }) => day);

test('Without a limit, retention deletes nothing', () => assert.deepEqual(daysDeleted(), []));

test('A number keeps the newest backups', () => {
  assert.deepEqual(daysDeleted(2), [2, 3, 4, 5]);
  assert.deepEqual(daysDeleted(6), []);
});

test('A number of days keeps younger backups', () => assert.deepEqual(daysDeleted(undefined, 3), [3, 4, 5]));

test('With both limits, a backup stays if one of them keeps it', () => {
  assert.deepEqual(daysDeleted(2, 3), [3, 4, 5]);
  assert.deepEqual(daysDeleted(5, 3), [5]);
});

test('The newest backup stays however old it is', () => {
  assert.deepEqual(daysDeleted(undefined, 1, backups.slice(3)), [4, 5]);
});

test('Incomplete backups stay for a day, because another process may still be writing them', async () => {
  const at = (hours: number) =>
    backupName({
      created_at: new Date(NOW - hours * 3_600_000).toISOString(),
      engine: 'sqlite',
      schema: 1,
      encrypted: false,
    });
  const removed: string[] = [];
  const store = {
    list: async () => [at(1), at(23), at(25)].map((name) => ({ name, bytes: 1 })),
    verifiesWrites: true,
    write: async () => {},
    read: async function* () {},
    remove: async (name: string) => {
      removed.push(name);
    },
  };
  const limits = { count: 1, days: 1 };
  assert.deepEqual(await applyRetention(store, limits, { now: NOW, written: '' }), [at(25)]);
  assert.deepEqual(
    removed.filter((name) => name === at(1) || name === at(23)),
    [],
  );
});
