/** The requests and responses of the plain build as JSON Schemas for Fastify. */

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const texts = { type: 'array', items: text } as const;

const contactHead = {
  id: text,
  phone_number: text,
  first_name: textOrNull,
  last_name: textOrNull,
  display_name: textOrNull,
  email: textOrNull,
  company: textOrNull,
  notes: textOrNull,
  tags: texts,
  source: text,
};
const contactTimes = { first_contact_at: text, last_contact_at: text };
const times = { created_at: text, updated_at: text };

const object = (properties: object) => ({ type: 'object', properties });
const envelope = (data: object, more: object = {}) => object({ success: { type: 'boolean' }, data, ...more });

const listed = object({ ...contactHead, ...contactTimes, ...times });
const pagination = object({
  total: { type: 'integer' },
  limit: { type: 'integer' },
  offset: { type: 'integer' },
  has_more: { type: 'boolean' },
});
const crm_ids = { type: 'object', additionalProperties: text };
const version = { id: text, version_label: text };

export const answers = {
  contact: envelope(object({ ...contactHead, ...contactTimes, ...times, crm_ids })),
  created: envelope(object({ ...contactHead, ...times })),
  contacts: envelope({ type: 'array', items: listed }, { pagination }),
  agent: envelope(
    object({
      id: text,
      name: text,
      description: textOrNull,
      ...times,
      deployed_version: { ...object({ ...version, instructions: text }), nullable: true },
      versions: { type: 'array', items: object({ ...version, deployment_status: text, created_at: text }) },
    }),
  ),
};

export const query = object({
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  offset: { type: 'integer', minimum: 0, default: 0 },
  search: text,
  tag: text,
});

const textUpTo = (maxLength: number) => ({ type: ['string', 'null'], maxLength, default: null });

export const body = {
  type: 'object',
  additionalProperties: false,
  required: ['phone_number'],
  properties: {
    phone_number: { type: 'string', pattern: '^\\+[0-9]{7,15}$' },
    first_name: textUpTo(100),
    last_name: textUpTo(100),
    display_name: textUpTo(200),
    email: textUpTo(254),
    company: textUpTo(200),
    notes: textUpTo(2_000),
    tags: { ...texts, maxItems: 50, default: [] },
  },
};
