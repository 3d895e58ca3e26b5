import { getCountries } from 'libphonenumber-js/max';
import * as v from '../../lib/validation.ts';

const countries = new Set<string>(getCountries());

/** An ISO 3166-1 alpha-2 code of a country with phone numbers. */
export const country = v.text({
  schema: {
    title: 'Country',
    pattern: `^(?:${[...countries].sort().join('|')})$`,
    description: 'ISO country code, for example US.',
    examples: ['US'],
  },
  check: (code) => (countries.has(code) ? undefined : 'must be a two-letter country code, for example US.'),
});
