import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { resultKey } from '../calls/result.schema.ts';
import { type CallWindow, weekdays } from './call-window.ts';
import { campaignProperties, startStates } from './campaign.schema.ts';

const FROM = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;
const TO = /^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/;

const time = (pattern: RegExp, description: string, example: string): v.Field<string> =>
  v.text({
    schema: { pattern: pattern.source, description },
    check: (value) => (pattern.test(value) ? undefined : `must be a time as HH:MM, for example ${example}.`),
  });

const windowFields = v.object(
  {
    days: v.uniqueStrings(v.oneOf(weekdays) as v.Field<string>, weekdays.length, {
      description: 'The days of the week.',
      minItems: 1,
    }),
    from: time(FROM, 'The first minute, as HH:MM.', '09:00'),
    to: time(TO, 'The end, as HH:MM up to 24:00; it is not part of the window.', '18:00'),
  },
  {
    title: 'CallWindow',
    required: ['days', 'from', 'to'],
    check: ({ from, to }) =>
      String(from) < String(to) ? [] : [{ field: 'to', message: 'must be later than from.' }],
  },
);

/** The days are stored in the order of the week. */
const callWindow: v.Field<CallWindow> = {
  schema: {
    ...windowFields.schema,
    description: 'When contacts may be called, in their local time. It does not extend over midnight.',
  },
  read: (value, field, problems) => {
    const { days = [], ...times } = v.nested(windowFields).read(value, field, problems);
    return { days: weekdays.filter((day) => days.includes(day)), ...times };
  },
};

/** What happens to an enrollment whose attempt ended with a disposition. */
const retryActions = ['retry', 'complete', 'fail'] as const;

const MAX_RULES = 50;
/** 30 days. */
const MAX_RETRY_MINUTES = 43_200;

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

const retryRules: v.Field<RetryRule[]> = {
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

export const scheduleUpdate = v.object(
  {
    starts_at: v.nullable(
      v.described(v.dateTime(), 'When the campaign becomes active automatically. `null` or omitted: never.'),
    ),
    ends_at: v.nullable(
      v.described(v.dateTime(), 'When it becomes finished automatically. `null` or omitted: never.'),
    ),
    call_window: v.nullable(callWindow),
    max_attempts: v.nullable(
      v.described(v.integer(1, 100), 'How many times a contact is handed out. `null` or omitted: no limit.'),
    ),
    min_retry_minutes: v.nullable(
      v.described(
        v.integer(1, MAX_RETRY_MINUTES),
        'The minimum time between two attempts at a contact, in minutes. `null` or omitted: none.',
      ),
    ),
    retry_rules: retryRules,
  },
  {
    title: 'CampaignScheduleUpdate',
    ignored: ['campaign_id', 'start_status', 'time_zone'],
    check: ({ starts_at, ends_at }) =>
      typeof starts_at === 'string' && typeof ends_at === 'string' && ends_at <= starts_at
        ? [{ field: 'ends_at', message: 'must be later than starts_at.' }]
        : [],
  },
);
export type ScheduleUpdate = ReturnType<typeof scheduleUpdate.read>;

export const scheduleResponse = s.object('CampaignSchedule', {
  campaign_id: s.string(),
  ...v.schemasOf(scheduleUpdate.fields),
  start_status: {
    type: ['string', 'null'],
    enum: ['scheduled', ...startStates, null],
    description:
      'Whether the start is still to come (`scheduled`), and otherwise what happened: `started`, or why it did not: the agent had no deployed version or was deleted, the status was changed before, or the end had passed as well. `null` without a start.',
  },
  time_zone: s.string(
    'The time zone of the workspace. It counts for contacts whose number has no known time zone.',
  ),
});

/** A campaign in a list. */
export const listedCampaign = s.object('ListedCampaign', campaignProperties, { schedule: scheduleResponse });
