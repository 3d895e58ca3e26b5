import * as v from '../../lib/validation.ts';

/** The name of a workspace or an API key. */
export const nameField = v.text({
  min: 1,
  max: 100,
  schema: { pattern: '\\S' },
  check: (name) => (/\S/.test(name) ? undefined : 'must not be blank.'),
});

/** Rejects a name of the command line. */
export const assertName = (name: string): void => void v.object({ name: nameField }).read({ name });
