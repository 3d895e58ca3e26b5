import assert from 'node:assert/strict';
import { it } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { allContacts, assertCounts, withoutUpdatedAt } from '../kit/imports/assertions.ts';
import { applyImport, importRows, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const HEADER = 'Phone,First Name,Last Name,Labels';

type Existing = 'skip' | 'fill' | 'overwrite';
type Tags = 'merge' | 'replace';
/** First name, last name, tags. */
type ContactValues = [string | null, string | null, string[]];
type Effect = 'created' | 'updated' | 'none';

/** The contact after the rules are applied, independent of the plan. The row contains File, Row and `new`. */
const applyRules = (
  [first, last, tags]: ContactValues,
  existing: Existing,
  rule: Tags,
): [effect: Effect, facts: ContactValues] => {
  if (existing === 'skip') return ['none', [first, last, tags]];
  const all = rule === 'replace' ? ['new'] : [...tags, 'new'];
  return ['updated', existing === 'overwrite' ? ['File', 'Row', all] : [first ?? 'File', last ?? 'Row', all]];
};

onEveryEngine('A plan whose contacts have changed', (service) => {
  let owner: Awaited<ReturnType<typeof signedInUser>>;
  let area = 200;

  for (const existing of ['skip', 'fill', 'overwrite'] as const) {
    for (const tags of ['merge', 'replace'] as const) {
      it(`A plan whose contacts have changed is checked again row by row: ${existing}, ${tags}`, async () => {
        owner ??= await signedInUser(service);
        area++;
        const phone = (at: number) => `+1${area}5550${100 + at}`;
        const make = (at: number, fields: Json) =>
          makeContact(service, { phone_number: phone(at), ...fields });
        const [moved, deleted, filled, same, kept] = await Promise.all([
          make(2, { first_name: 'Moved' }),
          make(3, { first_name: 'Deleted' }),
          make(4, { first_name: 'Filled', tags: ['own'] }),
          make(5, { first_name: 'File', last_name: 'Row', tags: ['new'] }),
          make(6, { first_name: 'Kept', tags: ['own', 'new'] }),
        ]);
        const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `${phone(at)},File,Row,new`);
        const plan = await planCsv(owner, [HEADER, ...rows].join('\n'), { on_existing: existing, tags });
        assert.deepEqual(
          plan.totals,
          existing === 'skip' ? { create: 3, unchanged: 5 } : { create: 3, update: 4, unchanged: 1 },
        );

        await make(1, { first_name: 'Api', tags: ['own'] });
        await make(8, { first_name: 'File', last_name: 'Row', tags: ['new'] });
        await service.patch(`/v1/contacts/${moved.id}`, { phone_number: phone(50) });
        assert.equal((await service.delete(`/v1/contacts/${deleted.id}`)).status, 200);
        await service.patch(`/v1/contacts/${filled.id}`, { last_name: 'Edited' });
        await service.patch(`/v1/contacts/${same.id}`, { last_name: null, tags: [] });
        await service.patch(`/v1/contacts/${kept.id}`, { last_name: 'Edited', tags: ['new'] });
        const before = await allContacts(owner);
        const applied = await applyImport(owner, plan.id);

        const [api, apiFacts] = applyRules(['Api', null, ['own']], existing, tags);
        const [fill, fillFacts] = applyRules(['Filled', 'Edited', ['own']], existing, tags);
        const [back, backFacts] = applyRules(['File', null, []], existing, tags);
        // Everything except the overwritten names already equals the row.
        const unchanged: [Effect, ContactValues] =
          existing === 'overwrite'
            ? ['updated', ['File', 'Row', ['new']]]
            : ['none', ['Kept', 'Edited', ['new']]];
        const news: ContactValues = ['File', 'Row', ['new']];
        const expected: [string, Effect | null, ContactValues | null][] = [
          [phone(1), api, apiFacts],
          [phone(2), 'created', news],
          // The contact was deleted together with its row: applying does not create it again.
          [phone(3), 'none', null],
          [phone(4), fill, fillFacts],
          [phone(5), back, backFacts],
          [phone(6), ...unchanged],
          [phone(7), 'created', news],
          [phone(8), 'none', news],
          [phone(50), null, ['Moved', null, []]],
        ];
        const found = (await allContacts(owner)).filter((one) => one.phone_number.startsWith(`+1${area}`));
        assert.deepEqual(
          found.map((one) => [one.phone_number, [one.first_name, one.last_name, one.tags]]),
          expected.flatMap(([number, , facts]) => (facts ? [[number, facts]] : [])),
        );
        const effects = expected.flatMap(([, effect]) => effect ?? []);
        const listed = await importRows(owner, plan.id);
        assert.deepEqual(
          listed.map(({ effect }) => effect),
          effects,
        );
        const count = (effect: Effect) => effects.filter((each) => each === effect).length;
        assert.deepEqual(
          [applied.totals.created, applied.totals.updated ?? 0, applied.totals.none],
          [count('created'), count('updated'), count('none')],
        );
        await assertCounts(service.database);

        // An undo restores the values at the time of applying, not of planning.
        await undoImport(owner, plan.id);
        assert.deepEqual(withoutUpdatedAt(await allContacts(owner)), withoutUpdatedAt(before));
        await assertCounts(service.database);
      });
    }
  }

  it('An import plan is applied only once', async () => {
    owner ??= await signedInUser(service);
    const { id } = await planCsv(owner, `${HEADER}\n+15095550100,A,,`);
    const starts = await Promise.all(
      Array.from({ length: 8 }, () => owner.call('POST', `/imports/${id}/apply`)),
    );
    assert.deepEqual(starts.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
  });
});
