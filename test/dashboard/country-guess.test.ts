import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guessCountry } from '../../dashboard/src/lib/country-guess.ts';

it('The country follows the time zone and not the language', async () => {
  for (const [zone, language, country] of [
    ['Europe/Berlin', 'en-US', 'DE'],
    ['Europe/Vienna', 'de-DE', 'AT'],
    ['America/New_York', 'en-GB', 'US'],
    ['Asia/Tokyo', 'en', 'JP'],
    ['Europe/London', 'en-GB', 'GB'],
  ] as const)
    assert.equal(await guessCountry(zone, [language]), country, zone);
});

it('No country is guessed for a time zone without one', async () => {
  for (const zone of ['UTC', 'Etc/GMT-1']) assert.equal(await guessCountry(zone, ['en-US']), '', zone);
});
