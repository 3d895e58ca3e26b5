import { isSupportedCountry } from 'libphonenumber-js/max';
import { text } from '../../lib/validation.ts';

/** A country in which numbers are dialled. */
export const country = text({
  schema: { pattern: '^[A-Z]{2}$', description: 'Two letters, for example US.' },
  check: (code) =>
    /^[A-Z]{2}$/.test(code) && isSupportedCountry(code)
      ? undefined
      : 'must be the two letters of a country, for example US.',
});
