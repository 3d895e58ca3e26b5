import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { key, keyProblem } from '../fields/field.schema.ts';
import { contactVariables } from './placeholders.ts';

export const MAX_VARIABLES = 100;

/** Values for the placeholders of instructions, by name. */
export const variableMap = v.mapOf(key, v.scalar(2_000), MAX_VARIABLES);

const isBuiltIn = (name: string) => contactVariables.some((each) => each === name);

const fields = {
  name: v.text({
    schema: {
      ...key.schema,
      not: { enum: contactVariables },
      description: 'The name in placeholders: `slot` for `{{slot}}`.',
      examples: ['slot'],
    },
    check: (name) =>
      isBuiltIn(name)
        ? `must not be ${name}, which every contact has. Remove it from the list.`
        : keyProblem(name),
  }),
  description: v.nullable(
    v.text({
      max: 500,
      schema: { description: 'What the value is.', examples: ['The appointment to confirm'] },
    }),
  ),
  example: v.nullable(
    v.text({ max: 200, schema: { description: 'A possible value.', examples: ['Tuesday at ten'] } }),
  ),
};

const repeatedIn = (names: readonly string[]) => names.find((name, at) => names.indexOf(name) < at);

export const agentVariables = v.object(
  {
    variables: v.listOf(v.nested(v.object(fields, { title: 'AgentVariableInput', required: ['name'] })), {
      max: MAX_VARIABLES,
      description: 'All variables that only enrollments and runtimes provide. Their names differ.',
    }),
  },
  {
    title: 'AgentVariablesInput',
    required: ['variables'],
    check: ({ variables }) => {
      const repeated = repeatedIn((variables as { name: string }[]).map(({ name }) => name));
      return repeated === undefined
        ? []
        : [{ field: 'variables', message: `must not have the name ${repeated} twice.` }];
    },
  },
);

export const agentVariablesResponse = s.object('AgentVariables', {
  variables: s.list(s.object('AgentVariable', v.schemasOf(fields)), 'In the order in which they were sent.'),
});
