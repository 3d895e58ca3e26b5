import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { applyImport, importRows } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const NO_COUNTRY = 'has no + and country code. Choose a default country for the phone numbers of this file.';
const lost = (text: string) =>
  `was turned into ${text} by a spreadsheet, and its last digits are lost. Format the column as text and export it again.`;

onEveryEngine('Phone numbers of a file', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  /** Plans a file of phone numbers. */
  const plan = async (cells: string[], query: Record<string, string> = {}): Promise<Json> => {
    const reply = await owner.call('POST', `/imports?${new URLSearchParams(query)}`, undefined, {
      raw: ['Phone', ...cells].join('\r\n'),
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data;
  };
  /** The result of each row, with the reason if there is one. */
  const resultsOf = async (id: string): Promise<string[]> =>
    (await importRows(owner, id)).map(({ verdict, field, reason }) =>
      field ? `${verdict}: ${field} ${reason}` : verdict,
    );
  const setCountry = async (default_country: string | null) =>
    assert.equal((await owner.call('PATCH', '/settings', { default_country })).status, 200);
  const newest = async (count: number): Promise<string[]> =>
    (await service.get(`/v1/contacts?limit=${count}`)).body.data
      .map(({ phone_number }: Json) => phone_number)
      .reverse();

  const written: [cell: string, number: string][] = [
    ['(415) 555-0101', '+14155550101'],
    ['14155550102', '+14155550102'],
    ["'+14155550103", '+14155550103'],
    ['="+14155550104"', '+14155550104'],
    ['"=""+14155550105"""', '+14155550105'],
    ['"\'(415) 555-0106"', '+14155550106'],
    ['4.155550107E+9', '+14155550107'],
    ['1.4155550108E+10', '+14155550108'],
    ['14155550109.0', '+14155550109'],
    ['+1 (415) 555-0110', '+14155550110'],
    ['00 44 20 7946 0111', '+442079460111'],
    ['tel:+1-415-555-0112', '+14155550112'],
    ['415-555-0113 x7', '+14155550113'],
    ['\u202a+1 415\u2011555\u20110114\u202c', '+14155550114'],
  ];

  test('Phone numbers are converted to E.164, including numbers damaged by spreadsheets', async () => {
    const { id, totals, options } = await plan(
      written.map(([cell]) => cell),
      { country: 'US' },
    );
    assert.equal(options.country, 'US');
    assert.deepEqual(totals, { create: written.length }, (await resultsOf(id)).join('\n'));
    await applyImport(owner, id);
    assert.deepEqual(
      await newest(written.length),
      written.map(([, number]) => number),
    );
  });

  test('Each phone number that cannot be converted is invalid with its own reason', async () => {
    const cases: [cell: string, verdict: string][] = [
      ['4.15556E+11', `invalid: phone_number ${lost('4.15556E+11')}`],
      ['"4,15556E+11"', `invalid: phone_number ${lost('4,15556E+11')}`],
      ['+1.41556E+10', `invalid: phone_number ${lost('+1.41556E+10')}`],
      ['555-0101', 'invalid: phone_number has too few digits for a number in US.'],
      ['415555010199', 'invalid: phone_number has too many digits for a number in US.'],
      ['n/a', 'invalid: phone_number is not a phone number.'],
      ['" "" "', 'invalid: phone_number is not a phone number.'],
      ['+1 415', 'invalid: phone_number must have 7 to 15 digits after the +; this number has 4.'],
    ];
    const { id, totals } = await plan(
      cases.map(([cell]) => cell),
      { country: 'US' },
    );
    assert.deepEqual(totals, { invalid: cases.length });
    assert.deepEqual(
      await resultsOf(id),
      cases.map(([, result]) => result),
    );
  });

  test('National numbers without a country are invalid, and the message says that one can be chosen', async () => {
    const { id, totals, options } = await plan([
      '(212) 555-0101',
      '12125550102',
      '+12125550103',
      "'+1 212 555 0104",
      '0012125550105',
      '020 7946 0106',
    ]);
    assert.equal(options.country, null);
    assert.deepEqual(totals, { create: 3, invalid: 3 });
    const no = `invalid: phone_number ${NO_COUNTRY}`;
    assert.deepEqual(await resultsOf(id), [no, no, 'create', 'create', 'create', no]);
  });

  test('The country of an import takes precedence over the country of the workspace', async () => {
    await setCountry('GB');
    try {
      const cells = ['020 7946 0121', '07700 900121', '442079460122'];
      const british = await plan(cells);
      assert.equal(british.options.country, 'GB');
      assert.deepEqual(british.totals, { create: 3 });
      await applyImport(owner, british.id);
      assert.deepEqual(await newest(3), ['+442079460121', '+447700900121', '+442079460122']);
      const american = await plan(['(303) 555-0123', '020 7946 0121', '442079460122'], { country: 'US' });
      assert.equal(american.options.country, 'US');
      assert.deepEqual(
        (await resultsOf(american.id)).map((result) => result.split(' ')[0]),
        ['create', 'invalid:', 'invalid:'],
      );
    } finally {
      await setCountry(null);
    }
    assert.equal((await plan(['+13035550124'])).options.country, null);
  });

  test('Different formats of one phone number are the same number', async () => {
    await plan(['+16175550131']).then(({ id }) => applyImport(owner, id));
    const cells = ['(617) 555-0131', '16175550131', '617-555-0132', '6.175550132E+9', '="+16175550132"'];
    const { id } = await plan(cells, { country: 'US' });
    const twice = (line: number) => `duplicate_in_file: phone_number Same number as line ${line}.`;
    assert.deepEqual(await resultsOf(id), ['unchanged', twice(2), 'create', twice(4), twice(4)]);
  });

  test('An empty phone column falls back to the next one, and finally to the normalized one', async () => {
    const reply = await owner.call('POST', '/imports?country=US', undefined, {
      raw: [
        'Mobile,Phone,Home Phone,Company Phone,E.164',
        '(702) 555-0141,(702) 555-0151,,,',
        ' ,(702) 555-0142,(702) 555-0152,,',
        ',,(702) 555-0143,,',
        ',,,(702) 555-0144,',
        ',,,,+17025550145',
      ].join('\n'),
      headers: { 'content-type': 'text/csv' },
    });
    const { id } = reply.body.data;
    assert.deepEqual(await resultsOf(id), [
      'create',
      'create',
      'create',
      'invalid: phone_number is missing.',
      'create',
    ]);
    await applyImport(owner, id);
    assert.deepEqual(await newest(4), ['+17025550141', '+17025550142', '+17025550143', '+17025550145']);
  });
});
