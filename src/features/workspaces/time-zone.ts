import { TIME_ZONE_PATTERN, timeZoneName } from '../../lib/time-zone.ts';
import * as v from '../../lib/validation.ts';

/** The name of an IANA time zone. */
export const timeZone = v.text({
  schema: {
    title: 'TimeZone',
    pattern: TIME_ZONE_PATTERN,
    description: 'Name of an IANA time zone, for example Europe/Berlin.',
    examples: ['Europe/Berlin'],
  },
  check: (name) =>
    timeZoneName(name) === undefined
      ? 'must be the name of an IANA time zone, for example Europe/Berlin.'
      : undefined,
});
