import { isSupportedCountry } from 'libphonenumber-js/max';
import { text } from '../../lib/validation.ts';

/** An ISO 3166-1 alpha-2 code of a country with phone numbers. */
export const country = text({
  schema: { pattern: '^[A-Z]{2}$', description: 'ISO country code, for example US.' },
  check: (code) =>
    /^[A-Z]{2}$/.test(code) && isSupportedCountry(code)
      ? undefined
      : 'must be a two-letter country code, for example US.',
});
