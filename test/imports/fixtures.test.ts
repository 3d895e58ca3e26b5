import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { applyImport, importRows, planCsv } from '../kit/imports/imports.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

interface Expected {
  file: string;
  country: string;
  /** Every mapped column. */
  columns: Record<string, string>;
  /** The created contacts in the order of the file. Fields that are not listed are null. */
  contacts: Json[];
  /** The other rows: line, result, field, reason. */
  left?: [number, string, string, string][];
}

const phones = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'other_phone']));
const names = { 'First Name': 'first_name', 'Last Name': 'last_name' };

const exports: Expected[] = [
  {
    file: 'google.csv',
    country: 'US',
    columns: {
      ...names,
      Nickname: 'display_name',
      'Organization Name': 'company',
      Notes: 'notes',
      Labels: 'tags',
      'E-mail 1 - Value': 'email',
      'Phone 1 - Value': 'phone_number',
      ...phones('Phone 2 - Value', 'Phone 3 - Value'),
    },
    contacts: [
      {
        phone_number: '+14155550100',
        first_name: 'Ada',
        last_name: 'Lovelace',
        company: 'Analytical Engines',
        email: 'ada@example.com',
        notes: 'Met in Turin.\nCalls back on Fridays.',
        tags: ['Investors'],
      },
      {
        phone_number: '+12125550142',
        first_name: 'Zoë',
        last_name: 'Núñez',
        email: 'zoe@example.com',
        tags: ['starred'],
      },
      { phone_number: '+16465550177', company: 'Night Desk, Inc.' },
      {
        phone_number: '+12025550144',
        first_name: 'Grace',
        last_name: 'Hopper',
        display_name: 'Amazing Grace',
        company: 'The "Compilers"',
        email: 'grace@example.com',
        notes: 'Says "nanosecond", and shows one:\r\n- 30 cm of wire\r\n- =1/1e9',
        tags: ['Friends, old', 'Navy'],
      },
    ],
    left: [
      [9, 'duplicate_in_file', 'phone_number', 'Same number as line 2.'],
      [10, 'invalid', 'phone_number', 'is missing.'],
    ],
  },
  {
    file: 'google-older.csv',
    country: 'US',
    columns: {
      Name: 'display_name',
      'Given Name': 'first_name',
      'Family Name': 'last_name',
      Notes: 'notes',
      'Group Membership': 'tags',
      'E-mail 1 - Value': 'email',
      'Phone 1 - Value': 'phone_number',
      'Phone 2 - Value': 'other_phone',
      'Organization 1 - Name': 'company',
    },
    contacts: [
      {
        phone_number: '+13035550111',
        display_name: 'Søren Łoś',
        first_name: 'Søren',
        last_name: 'Łoś',
        email: 'soren@example.com',
        company: 'Fjord',
        tags: ['Clients'],
      },
      { phone_number: '+13035550112', display_name: '王 小明', first_name: '小明', last_name: '王' },
      {
        phone_number: '+13035550113',
        display_name: 'Ana María de la Cruz',
        first_name: 'Ana María',
        last_name: 'de la Cruz',
        email: 'ana@example.com',
        company: 'Peña & Cía., S.A.',
        notes: 'Dos líneas:\nla segunda',
        tags: ['friends'],
      },
    ],
  },
  {
    file: 'outlook.csv',
    country: 'US',
    columns: {
      ...names,
      Company: 'company',
      Categories: 'tags',
      'E-mail Address': 'email',
      Notes: 'notes',
      'Mobile Phone': 'phone_number',
      ...phones('Business Phone', 'Business Phone 2', 'Car Phone', 'Home Phone', 'Home Phone 2'),
      ...phones('Other Phone', 'Primary Phone'),
    },
    contacts: [
      {
        phone_number: '+14155550121',
        first_name: 'José',
        last_name: 'Müller',
        company: 'Café “Zum Löwen”',
        email: 'jose@example.com',
        notes: 'Zahlt in €',
        tags: ['Kunde', 'VIP'],
      },
      {
        phone_number: '+14155550123',
        first_name: 'Grace',
        last_name: 'Hopper',
        company: 'Compilers',
        email: 'grace@example.com',
      },
      {
        phone_number: '+14155550124',
        first_name: 'Françoise',
        last_name: "O'Brien",
        company: 'Bürö "Nord", GmbH',
        email: 'francoise@example.com',
        notes: 'Erste Zeile\r\nZweite Zeile – „mit“ Zeichen\r\n',
        tags: ['VIP', 'Nord'],
      },
    ],
    left: [[7, 'invalid', 'phone_number', 'is missing.']],
  },
  {
    file: 'hubspot.csv',
    country: 'US',
    columns: {
      ...names,
      Email: 'email',
      'Associated Company': 'company',
      'Mobile Phone Number': 'phone_number',
      'Phone Number': 'other_phone',
    },
    contacts: [
      {
        phone_number: '+17575550130',
        first_name: 'Mary',
        last_name: 'Jackson',
        email: 'mary@example.com',
        company: 'Wind Tunnels',
      },
      {
        phone_number: '+17575550131',
        first_name: 'Katherine',
        last_name: 'Johnson',
        email: 'katherine@example.com',
      },
      {
        phone_number: '+17575550133',
        first_name: 'Dorothy',
        last_name: 'Vaughan',
        email: 'dorothy@example.com',
      },
      {
        phone_number: '+17575550134',
        first_name: 'Annie',
        last_name: 'Easley',
        email: 'ANNIE@example.com',
        company: 'Lewis Research; "Rockets"',
      },
    ],
    left: [
      [
        6,
        'invalid',
        'phone_number',
        'was turned into 7.57555E+09 by a spreadsheet, and its last digits are lost. Format the column as text and export it again.',
      ],
    ],
  },
  {
    file: 'salesforce.csv',
    country: 'US',
    columns: {
      AccountName: 'company',
      LastName: 'last_name',
      FirstName: 'first_name',
      Name: 'display_name',
      Email: 'email',
      Description: 'notes',
      MobilePhone: 'phone_number',
      ...phones('Phone', 'HomePhone', 'OtherPhone'),
    },
    contacts: [
      {
        phone_number: '+16175550141',
        first_name: 'Margaret',
        last_name: 'Hamilton',
        display_name: 'Margaret Hamilton',
        email: 'margaret@example.com',
        company: 'Rocket Works',
        notes: 'Wrote the "guidance" code.',
      },
      {
        phone_number: '+16175550142',
        first_name: 'Radia',
        last_name: 'Perlman',
        display_name: 'Radia Perlman',
        email: 'radia@example.com',
      },
      {
        phone_number: '+16175550143',
        first_name: 'Jean',
        last_name: 'Bartik',
        display_name: 'Jean Bartik',
        email: 'jean@example.com',
        company: 'Rocket Works',
        notes: 'Line one,\nline "two"',
      },
    ],
  },
  {
    file: 'salesforce-report.csv',
    country: 'GB',
    columns: {
      ...names,
      'Account Name': 'company',
      Email: 'email',
      Mobile: 'phone_number',
      Phone: 'other_phone',
    },
    contacts: [
      {
        phone_number: '+442079460101',
        first_name: 'Hedy',
        last_name: 'Lamarr',
        company: 'Hopping Ltd',
        email: 'hedy@example.com',
      },
      {
        phone_number: '+442079460102',
        first_name: 'Joan',
        last_name: 'Clarke',
        company: 'Hut 8',
        email: 'joan@example.com',
      },
    ],
  },
];

const NOTHING = {
  first_name: null,
  last_name: null,
  display_name: null,
  email: null,
  company: null,
  notes: null,
  tags: [],
  source: 'import',
};

onSqlite('Exports of other products', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });

  for (const { file, country, columns, contacts, left = [] } of exports) {
    test(`The export ${file} is imported as the expected contacts`, async () => {
      const bytes = readFileSync(new URL(`fixtures/${file}`, import.meta.url));
      const planned = await planCsv(owner, bytes, { country, name: file });
      assert.equal(planned.name, file);
      assert.deepEqual(
        Object.fromEntries(
          planned.columns.flatMap(({ name, field }: Json) => (field ? [[name, field]] : [])),
        ),
        columns,
      );
      const planRows = await importRows(owner, planned.id);
      assert.deepEqual(
        planRows
          .filter(({ verdict }) => verdict !== 'create')
          .map(({ line, verdict, field, reason }) => [line, verdict, field, reason]),
        left,
      );
      assert.equal(planned.totals.create, contacts.length);

      const before = (await service.get('/v1/contacts')).body.pagination.total;
      const applied = await applyImport(owner, planned.id);
      assert.deepEqual([applied.state, applied.totals.created], ['applied', contacts.length]);
      const { data, pagination } = (await service.get(`/v1/contacts?limit=${contacts.length}`)).body;
      assert.equal(pagination.total, before + contacts.length);
      assert.deepEqual(
        data
          .reverse()
          .map(
            ({
              id: _,
              first_contact_at: __,
              last_contact_at: ___,
              created_at: ____,
              updated_at: _____,
              ...facts
            }: Json) => facts,
          ),
        contacts.map((contact) => ({ ...NOTHING, ...contact })),
      );
      const again = await planCsv(owner, bytes, { country, on_existing: 'overwrite', tags: 'replace' });
      const { create: unchanged, ...rest } = planned.totals;
      assert.deepEqual(again.totals, { unchanged, ...rest });
    });
  }
});
