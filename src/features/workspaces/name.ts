import { objectOf, text } from '../../lib/validation.ts';

/** The name of a workspace or an API key. */
export const nameField = text({
  min: 1,
  max: 100,
  schema: { pattern: '\\S' },
  check: (name) => (/\S/.test(name) ? undefined : 'must not be blank.'),
});

/** Rejects a name of the command line. */
export const assertName = (name: string): void => void objectOf({ name: nameField }).read({ name });
