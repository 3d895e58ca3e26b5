import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { verify } from '../../src/features/verify/verify.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type MergeApi, mergeApi } from '../kit/fixtures/merges.ts';
import { Random } from '../kit/random.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const STEPS = Number(process.env.MERGE_STEPS ?? 1_200);
const MAX_CONTACTS = 30;

interface State {
  first_name: string | null;
  company: string | null;
  tags: string[];
  phone: string;
  /** Current identities besides the number. */
  others: string[];
}

interface Merge {
  id: string;
  survivor: string;
  before: State;
  after: State;
  contacts: Map<string, State>;
}

let numbers = 0;
/** Fictional, and no number twice. */
const nextNumber = () => {
  const at = numbers++;
  return `+1${201 + (Math.floor(at / 100) % 780)}5550${100 + (at % 100)}`;
};

const copy = <T>(state: T): T => structuredClone(state);

/** What contacts, their identities and merges should be. */
class Model {
  readonly contacts = new Map<string, State>();
  readonly into = new Map<string, string>();
  merges: Merge[] = [];

  merge(id: string, survivor: string, others: readonly string[]): void {
    const all = [survivor, ...others].map((each) => this.contacts.get(each) as State);
    const [first] = all as [State];
    const before = copy(first);
    const set = (name: 'first_name' | 'company') =>
      all.map((each) => each[name]).find((value) => value !== null) ?? null;
    const after: State = {
      first_name: set('first_name'),
      company: set('company'),
      tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, 50),
      phone: first.phone,
      others: [...first.others, ...all.slice(1).flatMap((each) => [`phone ${each.phone}`, ...each.others])],
    };
    const contacts = new Map(others.map((other) => [other, copy(this.contacts.get(other) as State)]));
    for (const other of others) {
      this.contacts.delete(other);
      this.into.set(other, survivor);
    }
    this.contacts.set(survivor, after);
    this.merges.push({ id, survivor, before, after: copy(after), contacts });
  }

  /** Whether a merge is the newest of its survivor, which exists. */
  isUndoable(merge: Merge): boolean {
    return (
      this.contacts.has(merge.survivor) &&
      this.merges.findLast(({ survivor }) => survivor === merge.survivor) === merge
    );
  }

  undo(merge: Merge): void {
    const { survivor, before, after, contacts } = merge;
    const now = this.contacts.get(survivor) as State;
    const isPlaceFree = (value: string) => value.startsWith('phone ') && !this.held().has(value);
    for (const [id, former] of contacts) {
      const primary = `phone ${former.phone}`;
      const given = former.others.filter((each) => now.others.includes(each));
      assert.ok(now.others.includes(primary) || isPlaceFree(primary), 'a number that another contact has');
      now.others = now.others.filter((each) => each !== primary && !given.includes(each));
      this.contacts.set(id, { ...former, others: given });
      this.into.delete(id);
    }
    for (const name of ['first_name', 'company'] as const)
      if (now[name] === after[name]) now[name] = before[name];
    const added = after.tags.filter((tag) => !before.tags.includes(tag));
    now.tags =
      JSON.stringify(now.tags) === JSON.stringify(after.tags)
        ? before.tags
        : now.tags.filter((tag) => !added.includes(tag));
    this.merges = this.merges.filter((each) => each !== merge);
  }

  held(): Set<string> {
    return new Set([...this.contacts.values()].flatMap(({ phone, others }) => [`phone ${phone}`, ...others]));
  }

  delete(id: string): void {
    this.contacts.delete(id);
    const gone = [...this.into].filter(([, survivor]) => survivor === id).map(([contact]) => contact);
    this.merges = this.merges.filter(({ survivor }) => survivor !== id);
    for (const contact of gone) {
      this.into.delete(contact);
      this.delete(contact);
    }
  }

  /** Where a merged contact is now. */
  current(id: string): string | undefined {
    const survivor = this.into.get(id);
    return survivor === undefined ? undefined : (this.current(survivor) ?? survivor);
  }
}

onEveryEngine('Random merges, undos and changes of contacts', (service) => {
  const stateOf = ({ first_name, company, tags, phone_number, identities }: Json): State => ({
    first_name,
    company,
    tags,
    phone: phone_number,
    others: identities
      .filter(({ is_primary, valid_until }: Json) => !is_primary && valid_until === null)
      .map(({ kind, value }: Json) => `${kind} ${value}`)
      .sort(),
  });

  const compare = async (model: Model, ids: Iterable<string>, api: MergeApi) => {
    for (const id of ids) {
      const { status, body } = await api.call('GET', `/contacts/${id}?include=identities`);
      const expected = model.contacts.get(id);
      if (!expected) {
        assert.equal(status, 404, id);
        assert.equal(body.error.details?.merged_into, model.current(id), id);
        continue;
      }
      assert.deepEqual(stateOf(body.data), { ...expected, others: expected.others.toSorted() }, id);
    }
  };

  test(`After each of ${STEPS} steps, contacts are what a model says`, { timeout: 3_600_000 }, async () => {
    const seed = process.env.MERGE_SEED ?? 'merges';
    const random = new Random(seed);
    const api = await mergeApi(service);
    const model = new Model();
    const seen = new Set<string>();
    const done: Record<string, number> = {};
    const any = () => random.pick([...model.contacts.keys()]);
    const patch = async (id: string, fields: object) => {
      const { status, text } = await service.patch(`/v1/contacts/${id}`, fields);
      assert.equal(status, 200, text);
    };
    /** Each returns the contacts to compare. */
    const steps: Record<string, () => Promise<string[]>> = {
      create: async () => {
        const state: State = {
          first_name: random.chance(0.6) ? random.letters(4) : null,
          company: random.chance(0.4) ? random.letters(4) : null,
          tags: [...new Set([random.letters(1), random.letters(1)])],
          phone: nextNumber(),
          others: [],
        };
        const { phone: phone_number, others: _, ...fields } = state;
        const { id } = await makeContact(service, { ...fields, phone_number });
        model.contacts.set(id, state);
        seen.add(id);
        return [id];
      },
      edit: async () => {
        const id = any();
        const state = model.contacts.get(id) as State;
        if (random.chance(0.5)) state.first_name = random.chance(0.3) ? null : random.letters(4);
        else state.tags = [...new Set([...state.tags.slice(1), random.letters(1)])];
        await patch(id, { first_name: state.first_name, tags: state.tags });
        return [id];
      },
      number: async () => {
        const id = any();
        const phone_number = nextNumber();
        (model.contacts.get(id) as State).phone = phone_number;
        await patch(id, { phone_number });
        return [id];
      },
      attach: async () => {
        const id = any();
        const value = `${id}-${random.letters(6)}`;
        const state = model.contacts.get(id) as State;
        const { status } = await service.post(`/v1/contacts/${id}/identities`, { kind: 'external', value });
        if (state.others.length < 19) state.others.push(`external ${value}`);
        assert.equal(status, state.others.includes(`external ${value}`) ? 201 : 409);
        return [id];
      },
      detach: async () => {
        const id = any();
        const { data } = (await api.call('GET', `/contacts/${id}/identities`)).body;
        const [current] = data.filter(
          ({ is_primary, valid_until }: Json) => !is_primary && valid_until === null,
        );
        if (!current) return [];
        assert.equal((await service.delete(`/v1/contacts/${id}/identities/${current.id}`)).status, 200);
        const state = model.contacts.get(id) as State;
        state.others = state.others.filter((each) => each !== `${current.kind} ${current.value}`);
        return [id];
      },
      merge: async () => {
        const ids = [...new Set([any(), any(), any()])];
        const [survivor = '', ...others] = ids;
        if (others.length === 0) return [];
        const { id } = await api.merge(survivor, others);
        model.merge(id, survivor, others);
        return ids;
      },
      undo: async () => {
        if (model.merges.length === 0) return [];
        const merge = random.pick(model.merges);
        const { status, text } = await api.undo(merge.id);
        const isUndoable = model.isUndoable(merge);
        assert.equal(status, isUndoable ? 200 : 409, text);
        if (isUndoable) model.undo(merge);
        return [merge.survivor, ...merge.contacts.keys()];
      },
      delete: async () => {
        const id = any();
        assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
        model.delete(id);
        return [id];
      },
    };
    const chances = [
      'create',
      'create',
      'edit',
      'edit',
      'number',
      'attach',
      'detach',
      'merge',
      'merge',
      'undo',
      'undo',
    ];
    for (let step = 0; step < STEPS; step++) {
      const isFull = model.contacts.size >= MAX_CONTACTS;
      const name =
        model.contacts.size < 4 ? 'create' : isFull || random.chance(0.03) ? 'delete' : random.pick(chances);
      try {
        await compare(model, (await steps[name]?.()) ?? [], api);
        if (step % 100 === 99) await compare(model, seen, api);
      } catch (error) {
        throw new Error(`Step ${step}, ${name}, seed ${seed}.`, { cause: error });
      }
      done[name] = (done[name] ?? 0) + 1;
    }
    assert.ok(
      Object.keys(steps).every((name) => (done[name] ?? 0) > STEPS / 100),
      JSON.stringify(done),
    );
    const snapshot = await openSnapshot(service.database.database);
    try {
      for await (const { name, count, examples } of verify(snapshot, { onStart: () => {} }))
        assert.equal(count, 0, `${name}: ${examples.join(', ')}`);
    } finally {
      await snapshot.close();
    }
  });
});
