import type { Problem } from '../../../src/lib/errors.ts';

/** A rule of the service that the published schemas do not express. docs/api.md lists them for clients. */
export interface UnpublishedRule {
  readonly rule: string;
  readonly reason: string;
  /** Whether a problem of a request comes from this rule. */
  readonly explains: (problem: Problem, request: string) => boolean;
}

const says =
  (message: RegExp): UnpublishedRule['explains'] =>
  (problem) =>
    message.test(problem.message);

/** Rules for one value. */
export const fieldRules: readonly UnpublishedRule[] = [
  {
    rule: 'A text contains neither U+0000 nor half of a surrogate pair.',
    reason: 'A pattern for it would be on every text, and many tools reject surrogates in patterns.',
    explains: says(/^must not contain U\+0000/),
  },
  {
    rule: 'A phone number begins with an assigned country calling code.',
    reason: 'The list of 220 codes changes. The pattern has the form of a number.',
    explains: says(/^must start with \+ and an assigned country code/),
  },
  {
    rule: 'A phone number has no national trunk prefix after the country code.',
    reason: 'The rule depends on the numbering plan of each country.',
    explains: says(/^must not have a national trunk prefix/),
  },
  {
    rule: 'The value of an identity has the form of its kind: a number in E.164, an email address, or a WhatsApp user id of at most 128 characters without spaces and control characters.',
    reason: 'The form of a member depends on another one.',
    explains: ({ field, message }) =>
      /(^|\.)value$/.test(field) &&
      /^must (?:be an (?:international number|email address)|contain only \+ and digits|have 7 to 15 digits|start with \+|not (?:contain (?:spaces|half)|have a national)|have at most \d+ characters for this kind)/.test(
        message,
      ),
  },
  {
    rule: 'A list of texts has a maximum of different entries.',
    reason: 'JSON Schema counts entries, not different ones.',
    explains: says(/^must have at most \d+ different entries/),
  },
  {
    rule: 'A time is in the years 0000 to 9999 in UTC.',
    reason: 'Whether it is, depends on the time zone of a time at the very edge.',
    explains: ({ message }, request) =>
      /^must be a valid date and time/.test(message) && /"(?:0000-01-01|9999-12-31)T/.test(request),
  },
  {
    rule: 'A rate limit has at most 1,000,000 requests and at most a day.',
    reason: 'The numbers are within a text.',
    explains: says(/^must be a number from 1 to 1000000/),
  },
  {
    rule: 'The end of a schedule or call window is later than its start.',
    reason: 'JSON Schema cannot compare two values.',
    explains: says(/^must be later than/),
  },
  {
    rule: 'A time zone is one that the service knows.',
    reason: 'The list of 600 names changes. The pattern has the form of a name.',
    explains: says(/^must be the name of an IANA time zone/),
  },
  {
    rule: 'The query of a view has parameters of its list, without a page and a view.',
    reason: 'They are within a text.',
    explains: says(/^must be parameters of the list without page/),
  },
  {
    rule: 'A list of tags in a query has at most 10 tags.',
    reason: 'It is a list within a text.',
    explains: says(/^must have at most \d+ tags;/),
  },
  {
    rule: 'A period is a month, or its first and its last day, in that order, at most 366 days.',
    reason: 'JSON Schema cannot compare two days, and parameters are described one by one.',
    explains: says(
      /^(?:is required: send from and to|must not be before from|must be at most \d+ days after from|must not be sent with days, from or to)/,
    ),
  },
  {
    rule: 'A tag cannot be added and removed in one request.',
    reason: 'JSON Schema cannot compare two lists.',
    explains: says(/^must not contain tags that are also in add/),
  },
  {
    rule: 'The variables of an agent have different names, dispositions different keys, rules different pairs of data and field, and retry rules different dispositions.',
    reason: 'JSON Schema compares whole entries, not one of their members.',
    explains: says(/^must not have (?:the (?:name|key) \w+ twice|two rules with the same)/),
  },
  {
    rule: 'A tag is renamed to another one.',
    reason: 'JSON Schema cannot compare two fields.',
    explains: says(/^must differ from tag/),
  },
  {
    rule: 'A filter in a query is JSON, and the type of its attribute decides the operators and values of a condition.',
    reason:
      'It is JSON within a text, groups are nested, and the types of fields are those of the workspace.',
    explains: ({ field, message }) =>
      /\bfilter\b.*\.(?:op|value)(?:\[\d+\])?$|\bfilter\.(?:all|any|not)\b/.test(field) ||
      /^must be JSON, for example|^must be a condition or a group|^must have exactly one of all, any, not/.test(
        message,
      ),
  },
  {
    rule: 'A field that is an enum has options, and no other field has any.',
    reason: 'A condition on another member is harder to read than the sentence.',
    explains: ({ field }) => field === 'options',
  },
  {
    rule: 'The mapping and the new fields of an import in the query are JSON objects, and an enum has options.',
    reason: 'They are JSON within a text.',
    explains: ({ field }) => /^(?:mapping|create_fields)\b/.test(field),
  },
  {
    rule: 'The URL of a webhook is absolute and allowed by the operator.',
    reason: 'The rule depends on the configuration.',
    explains: ({ field, message }) => field === 'url' && /^(?:Send|Use|Remove|The address)/.test(message),
  },
];

/** Rules that relate fields to each other, to the record or to the time. */
export const requestRules: readonly UnpublishedRule[] = [
  {
    rule: 'A merge names other contacts than the survivor.',
    reason: 'JSON Schema cannot compare two values.',
    explains: says(/^must name other contacts than survivor_id/),
  },
  {
    rule: "A value of a contact's field is one that the workspace's field allows.",
    reason: 'It depends on the fields of the workspace.',
    explains: ({ field }) => /^fields(?:\.|$)/.test(field),
  },
  {
    rule: 'The key of a chat model is sent with another URL.',
    reason: 'It depends on the stored URL.',
    explains: says(/^must be sent again, because the URL is another one/),
  },
  {
    rule: 'A notice is named by an id of the list of notices.',
    reason: 'The pattern of ids is not published.',
    explains: says(/^must be the id of a notice/),
  },
  {
    rule: 'An API key expires in the future.',
    reason: 'It depends on the time.',
    explains: says(/^must be in the future/),
  },
  {
    rule: 'The phone number of a create or update by number is that of the path.',
    reason: 'A schema describes the body alone.',
    explains: ({ field }, request) =>
      field === 'phone_number' && !request.includes('"phone_number":"+14155550100"'),
  },
  {
    rule: 'A password change needs the current password, except after a sign-in by link.',
    reason: 'It depends on the session.',
    explains: ({ field, message }) => field === 'current_password' && message === 'is required.',
  },
];
