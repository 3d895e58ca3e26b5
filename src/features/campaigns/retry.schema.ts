import * as v from '../../lib/validation.ts';
import { resultKey } from '../calls/result.schema.ts';

/** What happens to an enrollment whose attempt ended with a disposition. */
export const retryActions = ['retry', 'complete', 'fail'] as const;

const MAX_RULES = 50;
/** 30 days. */
export const MAX_RETRY_MINUTES = 43_200;

const rule = v.object(
  {
    disposition: v.described(resultKey, 'A disposition of the call settings.'),
    action: v.described(
      v.oneOf(retryActions),
      '`retry` returns the contact to the queue, `complete` and `fail` set its status to `completed` and `failed`.',
    ),
    after_minutes: v.integer(1, MAX_RETRY_MINUTES, {
      description: 'With `retry`: when the contact is due again. By default immediately.',
    }),
  },
  {
    title: 'RetryRule',
    required: ['disposition', 'action'],
    check: ({ action, after_minutes }) =>
      after_minutes === undefined || action === 'retry'
        ? []
        : [{ field: 'after_minutes', message: 'requires action "retry". Leave it out.' }],
    schema: {
      dependentSchemas: {
        after_minutes: {
          type: 'object',
          required: ['action'],
          properties: { action: { const: 'retry' }, after_minutes: {} },
        },
      },
    },
  },
);
export type RetryRule = ReturnType<typeof rule.read>;

const list = v.listOf(v.nested(rule), {
  max: MAX_RULES,
  description:
    'What a report with a `disposition` does, each disposition once. Omitted: no rules. `min_retry_minutes` and `max_attempts` still apply.',
});

export const retryRules: v.Field<RetryRule[]> = {
  ...list,
  read: (value, field, problems) => {
    const rules = list.read(value, field, problems);
    const keys = rules.map(({ disposition }) => disposition);
    const repeated = keys.find((key, at) => key !== undefined && keys.indexOf(key) < at);
    if (repeated !== undefined)
      problems.push({ field, message: `must not have two rules with the same disposition: ${repeated}.` });
    return rules;
  },
};
