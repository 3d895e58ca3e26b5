import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contactCreate } from '../contacts/contact.schema.ts';
import { createSample } from './sample.ts';

/** A working morning, the middle of a Sunday, the first moment of a year, a leap day. */
const MOMENTS = [
  '2026-11-11T10:00:00Z',
  '2026-11-15T13:30:00Z',
  '2027-01-01T00:00:00Z',
  '2028-02-29T23:59:59Z',
];

/** What each country has set aside for fiction. */
const FICTION =
  /^\+(1[2-9]\d\d55501\d\d|442079460\d{3}|441632960\d{3}|447700900\d{3}|493023125\d{3}|496990009\d{3}|494066969\d{3}|492214710\d{3}|498999998\d{3}|46701740(60[5-9]|6[1-9]\d))$/;

describe('Sample data', () => {
  it('The sample data is the same for the same moment', () => {
    const now = Date.now();
    assert.deepEqual(createSample(now), createSample(now));
  });

  it('The sample data has the same people on every day', () => {
    const people = (moment: string) => {
      const { contacts, agents, file } = createSample(Date.parse(moment));
      const facts = contacts.map((contact) =>
        [
          contact.phone_number,
          contact.first_name,
          contact.email,
          contact.notes,
          contact.tags,
          contact.source,
        ].join(),
      );
      const texts = agents.flatMap(({ name, versions }) => [
        name,
        ...versions.map(({ instructions }) => instructions),
      ]);
      return [facts.sort(), texts, file.text.split('\n').slice(0, 26)];
    };
    const [first, ...others] = MOMENTS.map(people);
    for (const other of others) assert.deepEqual(other, first);
  });

  for (const moment of MOMENTS) {
    const now = Date.parse(moment);
    const sample = createSample(now);
    const { contacts, calls, agents, channels, campaigns } = sample;

    it(`The sample data of ${moment} has a unique fictional number for each person`, () => {
      assert.equal(contacts.length, 460);
      const numbers = contacts.map(({ phone_identity }) => phone_identity);
      const own = channels.filter(({ kind }) => kind !== 'web_chat').map(({ address }) => address);
      assert.equal(new Set([...numbers, ...own]).size, numbers.length + own.length);
      for (const number of [...numbers, ...own]) assert.match(number, FICTION);
      assert.equal(contacts.filter(({ phone_conflict }) => phone_conflict === 1).length, 2);
      const names = contacts.flatMap(({ first_name, last_name }) =>
        first_name ? [`${first_name} ${last_name}`] : [],
      );
      assert.equal(new Set(names).size, names.length);
      for (const {
        phone_identity: phone_number,
        first_name,
        last_name,
        display_name,
        email,
        company,
        notes,
        tags,
      } of contacts) {
        contactCreate.read({
          phone_number,
          first_name,
          last_name,
          display_name,
          email,
          company,
          notes,
          tags,
        });
        assert.match(email ?? 'a@b.example', /@([\w-]+\.)?example(\.com)?$/);
      }
    });

    it(`The sample data of ${moment} is in the past and in order`, () => {
      const past = (time: string) => assert.ok(Date.parse(time) < now, time);
      for (const { created_at, updated_at } of contacts) {
        past(updated_at);
        assert.ok(created_at <= updated_at);
      }
      for (const { started_at, ended_at } of calls) past(ended_at ?? started_at);
      for (const agent of agents) {
        const times = [...agent.versions.map(({ created_at }) => created_at)];
        assert.deepEqual(times, times.toSorted());
        const deploys = agent.deploys.map(({ at }) => at);
        assert.deepEqual(
          deploys,
          deploys.toSorted((one, other) => one - other),
        );
        for (const { at, version } of agent.deploys) {
          assert.ok(
            Date.parse(agent.versions[version]?.created_at ?? '') < at,
            `${agent.name} v${version + 1}`,
          );
        }
        past(agent.updated_at);
      }
      for (const { created_at, updated_at, batches } of campaigns) {
        past(updated_at);
        for (const { enrolled_at } of batches) assert.ok(created_at < enrolled_at);
      }
    });

    it(`The sample data of ${moment} has busy weeks and quiet weekends`, () => {
      const days = Map.groupBy(calls, ({ started_at }) => started_at.slice(0, 10));
      const mean = (weekdays: readonly number[]) => {
        const counts = [...days]
          .filter(
            ([day]) => weekdays.includes(new Date(day).getUTCDay()) && Date.parse(day) < now - 86_400_000,
          )
          .map(([, list]) => list.length);
        return counts.reduce((sum, count) => sum + count, 0) / counts.length;
      };
      assert.ok(calls.length > 1_000 && calls.length < 2_000, `${calls.length}`);
      assert.ok(mean([2, 3]) > 4 * mean([0]), `${mean([2, 3])} and ${mean([0])}`);
    });
  }
});
